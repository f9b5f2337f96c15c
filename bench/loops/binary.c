/* The middle of a range lies in it. */
#include <assert.h>
int less(unsigned);
unsigned binary(unsigned n)
{
    unsigned low = 0, high = n;
    while (low < high) {
#ifdef BUG
        unsigned middle = (low + high + 1) / 2;
#else
        unsigned middle = low + (high - low) / 2;
#endif
        assert(middle >= low && middle < high);
        if (less(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
