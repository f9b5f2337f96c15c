/* Recursion that is deep, and wide. */
static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int f(unsigned n, unsigned k)
{
    if (n > 40 || k > 4)
        return -1;
    if (fibonacci(n) == 75025)
        return 1;
    if (ackermann(k, n) == 253)
        return 2;
    return 0;
}
