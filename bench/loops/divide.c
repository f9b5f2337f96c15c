/* Quotient and remainder by subtractions. */
#include <assert.h>
unsigned divide(unsigned a, unsigned b)
{
    if (b == 0)
        return 0;
    unsigned q = 0, r = a;
#ifdef BUG
    while (r > b) {
#else
    while (r >= b) {
#endif
        r -= b;
        q++;
    }
    assert(r < b);
    assert(q * b + r == a);
    return q;
}
