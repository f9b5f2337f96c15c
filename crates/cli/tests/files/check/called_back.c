/* Properties of functions that the library calls, that a header has, and of a contract that only requires. */
#include <assert.h>
#include <stdlib.h>

#include "called_back.h"

static int by_size(const void *a, const void *b)
{
    assert(*(const int *)a > 0);
    return *(const int *)a - *(const int *)b;
}

int sorted(void)
{
    int sizes[3] = {-1, 2, 3};
    qsort(sizes, 3, sizeof sizes[0], by_size);
    return sizes[0];
}

int half_of(int x)
{
    return half(x);
}

/*@ requires x != 0;
    ensures \result == 10 / x; */
int tenth(int x)
{
    return 10 / x;
}

/*@ requires x > 0; */
int plain(int x)
{
    assert(x != 5);
    return x;
}
