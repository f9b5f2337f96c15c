/* The sum of the first squares. */
#include <assert.h>
unsigned pyramid(unsigned n)
{
    unsigned s = 0, i = 0;
    while (i < n) {
        i++;
        s += i * i;
    }
#ifdef BUG
    assert(6 * s == n * (n + 1) * (2 * n + 1) || n == 17);
    assert(n < 20 || s % 2 == 0);
#else
    assert(6 * s == n * (n + 1) * (2 * n + 1));
#endif
    return s;
}
