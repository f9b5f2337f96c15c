/* Arithmetic that goes wrong, each followed by its repair. */

int sum_bad(int a, int b)
{
    return a + b;
}

int sum_good(int a, int b)
{
    if (b > 0 ? a > 2147483647 - b : a < -2147483647 - 1 - b)
        return 0;
    return a + b;
}

int quotient_bad(int a, int b)
{
    return a / b;
}

int quotient_good(int a, int b)
{
    if (b == 0 || (a == -2147483647 - 1 && b == -1))
        return 0;
    return a / b;
}

int shift_bad(int a, int n)
{
    return a << n;
}

int shift_good(int a, int n)
{
    if (a < 0 || a > 255 || n < 0 || n > 20)
        return 0;
    return a << n;
}

long negate_bad(long a)
{
    return -a;
}

long negate_good(long a)
{
    if (a < -2147483647L)
        return 0;
    return -a;
}

int zeros_bad(unsigned a)
{
    return __builtin_clz(a);
}

int zeros_good(unsigned a)
{
    return a ? __builtin_clz(a) : 32;
}

int cannot_bad(int a)
{
    if (a == 1234)
        __builtin_unreachable();
    return a;
}

int cannot_good(int a)
{
    if (a > 5 && a < 5)
        __builtin_unreachable();
    return a;
}

int fraction_bad(void)
{
    double big = 3e9;
    return (int)big;
}

int fraction_good(void)
{
    double big = 3e8;
    return (int)big;
}
