/* Functions that call themselves, and each other. */

int gcd(int a, int b)
{
    if (b == 0)
        return a;
    return gcd(b, a % b);
}

int coprime_pair(int a, int b)
{
    if (a < 1 || b < 1 || a > 50 || b > 50)
        return 0;
    if (gcd(a, b) == 1)
        return 1;
    if (gcd(a, b) == 12 && a > b)
        return 2;
    return 3;
}

int power(int base, int exponent)
{
    if (exponent <= 0)
        return 1;
    if (exponent % 2 == 0) {
        int half = power(base, exponent / 2);
        return half * half;
    }
    return base * power(base, exponent - 1);
}

static int is_even(unsigned n);

static int is_odd(unsigned n)
{
    if (n == 0)
        return 0;
    return is_even(n - 1);
}

static int is_even(unsigned n)
{
    if (n == 0)
        return 1;
    return is_odd(n - 1);
}

int ackermann_small(int m, int n)
{
    if (m < 0 || n < 0 || m > 2 || n > 3)
        return -1;
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann_small(m - 1, 1);
    return ackermann_small(m - 1, ackermann_small(m, n - 1));
}

int parity(unsigned n)
{
    if (n > 9)
        return -1;
    if (is_even(n) && is_odd(n))
        return 2; /* dead */
    if (is_odd(n))
        return 1;
    return 0;
}
