/* The median of three numbers, by comparisons and exchanges. */
#include <assert.h>
#include "word.h"

static word median(word a, word b, word c)
{
    word t;
    if (a > b) {
        t = a;
        a = b;
        b = t;
    }
    if (b > c) {
        t = b;
        b = c;
        c = t;
    }
#ifndef BUG
    if (a > b) {
        t = a;
        a = b;
        b = t;
    }
#endif
    return b;
}

void check(word a, word b, word c)
{
    word m = median(a, b, c);
    assert(m == a || m == b || m == c);
    assert((a <= m) + (b <= m) + (c <= m) >= 2);
    assert((a >= m) + (b >= m) + (c >= m) >= 2);
}
