/* A square root by odd numbers: the next square is always at hand. */
#include <assert.h>
unsigned root(unsigned n)
{
    unsigned r = 0, square = 1, odd = 1;
    while (square <= n && r < 65535) {
        r++;
        odd += 2;
        square += odd;
#ifdef BUG
        if (r > 40)
            odd += 2;
#endif
        assert(square == (r + 1) * (r + 1));
    }
    return r;
}
