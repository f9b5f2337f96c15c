/* Euclid's algorithm by subtraction: what is positive stays so. */
#include <assert.h>
int gcd(int a, int b)
{
    if (a <= 0 || b <= 0)
        return 0;
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
#ifdef BUG
        assert(a > 1 && b > 0);
#else
        assert(a > 0 && b > 0);
#endif
    }
    return a;
}
