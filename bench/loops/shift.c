/* Bits are counted by shifts. */
#include <assert.h>
int shift(unsigned x)
{
    int n = 0, ones = 0;
    while (x) {
        ones += x & 1;
        x >>= 1;
        n++;
    }
#ifdef BUG
    assert(ones < n || n < 24);
#else
    assert(ones <= n && n <= 32);
#endif
    return ones;
}
