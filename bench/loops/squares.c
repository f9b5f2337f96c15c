/* Odd numbers add up to squares. */
#include <assert.h>
unsigned squares(unsigned n)
{
    unsigned s = 0, odd = 1;
    for (unsigned i = 0; i < n; i++) {
        s += odd;
        odd += 2;
    }
#ifdef BUG
    assert(s == n * n || n > 20);
    assert(odd != 51);
#else
    assert(s == n * n);
#endif
    return s;
}
