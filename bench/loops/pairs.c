/* Pairs of different numbers, counted one by one. */
#include <assert.h>
unsigned pairs(unsigned n)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < i; j++)
            count++;
#ifdef BUG
    assert(2 * count == n * n + n || n < 3);
#else
    assert(2 * count == n * n - n);
#endif
    return count;
}
