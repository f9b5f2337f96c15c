/* Whatever the steps do, an odd number is followed by an even one. */
#include <assert.h>
unsigned collatz(unsigned n)
{
    unsigned steps = 0;
    while (n > 1 && n < 1000000000u) {
        if (n % 2) {
            n = 3 * n + 1;
#ifdef BUG
            assert(n % 4 == 0 || n % 8 == 2);
#else
            assert(n % 2 == 0);
#endif
        } else {
            n /= 2;
        }
        steps++;
    }
    return steps;
}
