/* The greatest common divisor is not greater than the numbers. */
#include <assert.h>
unsigned gcd_bound(unsigned a, unsigned b)
{
    unsigned x = a, y = b;
    while (y != 0) {
        unsigned r = x % y;
        x = y;
        y = r;
    }
#ifdef BUG
    assert(b == 0 || x < b);
#else
    assert(b == 0 || x <= b);
#endif
    return x;
}
