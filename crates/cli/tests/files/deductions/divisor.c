/* The greatest common divisor, by subtraction with a swap. */
#include <assert.h>

static unsigned divisor(unsigned x, unsigned y)
{
    while (x > 0) {
        if (x < y) {
            unsigned t = x;
            x = y; /* swapped */
            y = t;
        }
        x = x - y;
    }
    return y;
}

void bounds(unsigned x, unsigned y)
{
    if (x >= 1 && x <= 12 && y >= 12 && y <= 25) {
        unsigned z = divisor(x, y);
        assert(z >= 1 && z <= 12);
    }
}

void triple(unsigned y)
{
    if (y >= 1 && y <= 1000)
        assert(divisor(3 * y, y) == y);
}
