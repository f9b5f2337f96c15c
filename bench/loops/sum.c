/* The sum of the first numbers. */
#include <assert.h>
unsigned sum(unsigned n)
{
    unsigned s = 0, i = 0;
    while (i < n) {
        i++;
        s += i;
    }
#ifdef BUG
    assert(2 * s == n * n + n + (n == 40));
#else
    assert(2 * s == n * n + n);
#endif
    return s;
}
