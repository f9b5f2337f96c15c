#include <stdio.h>

static int inner(int a)
{
    return a + 7;
}

int caller(int a)
{
    return inner(a) & 1 ? inner(3) - 1 : 0;
}

int scan(unsigned n)
{
    int a[4] = {0};
    unsigned steps = 0;
    while (n != 1 && n != 0) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return a[steps < 4000000 ? 0 : 5];
}

int length(const char *s)
{
    int n = 0;
    sscanf(s, "%d", &n);
    return 100 / (n + 12345);
}
