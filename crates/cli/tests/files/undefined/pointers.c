/* Pointers that go wrong without being followed, each followed by its repair. */
#include <string.h>

static int first[4], second[4];

int order_bad(int n)
{
    int *p = n == 5 ? first : second;
    return p < second + 2;
}

int order_good(int n)
{
    int *p = n == 5 ? second + 3 : second;
    return p < second + 2;
}

long distance_bad(int n)
{
    int *p = n == 5 ? first : second;
    return second + 4 - p;
}

long distance_good(int n)
{
    int *p = n == 5 ? second + 3 : second;
    return second + 4 - p;
}

static int one(int n)
{
    return n & 1;
}

int call_bad(int n)
{
    int (*f)(int) = n == 8 ? 0 : one;
    return f(n);
}

int call_good(int n)
{
    int (*f)(int) = n == 8 ? 0 : one;
    return f ? f(n) : 0;
}

static int maybe(int n)
{
    if (n > 2)
        return 1;
}

int missing_bad(int n)
{
    return maybe(n);
}

int missing_good(int n)
{
    return n > 2 ? maybe(n) : 0;
}

void overlap_bad(int n)
{
    char text[8] = "abcdefg";
    char *to = n == 4 ? text + 1 : text + 4;
    memcpy(to, text, 3);
}

void overlap_good(int n)
{
    char text[8] = "abcdefg";
    char *to = n == 4 ? text + 1 : text + 4;
    memmove(to, text, 3);
}
