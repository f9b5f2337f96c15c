/* A square root by bisection of the result. */
#include <assert.h>
#include "word.h"
#ifdef NARROW
#define TOP 16
#define MOST 127
#else
#define TOP 256
#define MOST 65535
#endif

void check(word n)
{
    if (n < 0 || n > MOST)
        return;
    int low = 0, high = TOP;
    while (high - low > 1) {
        int middle = (low + high) / 2;
#ifdef BUG
        if (middle * middle <= n + (middle == 11))
#else
        if (middle * middle <= n)
#endif
            low = middle;
        else
            high = middle;
    }
    assert(low * low <= n);
    assert((low + 1) * (low + 1) > n);
}
