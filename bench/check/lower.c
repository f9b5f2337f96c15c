/* The first place in a sorted array that is not below a key, by bisection. */
#include <assert.h>
#include "word.h"
#ifndef LEN
#define LEN 8
#endif

static int lower(const word t[LEN], word key)
{
    int low = 0, high = LEN;
    while (low < high) {
        int middle = (low + high) / 2;
#ifdef BUG
        if (t[middle] <= key)
#else
        if (t[middle] < key)
#endif
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void check(word t[LEN], word key)
{
    for (int i = 0; i + 1 < LEN; i++)
        if (t[i] > t[i + 1])
            return;
    int at = lower(t, key);
    assert(at >= 0 && at <= LEN);
    for (int i = 0; i < LEN; i++)
        assert(i < at ? t[i] < key : t[i] >= key);
}
