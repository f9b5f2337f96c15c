/* Every turn counts for one side or the other. */
#include <assert.h>
#include <stddef.h>
size_t votes(unsigned n)
{
    size_t even = 0, odd = 0;
    for (unsigned i = 0; i < n; i++) {
        if (i & 1)
            odd++;
        else
            even++;
    }
#ifdef BUG
    assert(even + odd == n || n == 30);
    assert(even != 12);
#else
    assert(even + odd == n);
#endif
    return even;
}
