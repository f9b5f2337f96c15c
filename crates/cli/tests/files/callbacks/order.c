#include <stdlib.h>

typedef int (*order)(const void *, const void *);

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int sign(int a, int b)
{
    return by_value(&a, &b);
}

/* Only an order that contradicts itself says both. */
int contradicts(order compare, int a, int b)
{
    if (compare && compare(&a, &b) < 0) {
        if (compare(&b, &a) < 0)
            return 1;
    }
    return 0;
}

/* A stub sorts as it likes. */
int reversed(int a[3], order compare)
{
    if (!compare || a[0] != 10 || a[1] != 20 || a[2] != 30)
        return 0;
    qsort(a, 3, sizeof *a, compare);
    if (a[0] == 30 && a[1] == 20 && a[2] == 10)
        return 1;
    return 2;
}
