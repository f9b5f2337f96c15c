/* Odd numbers of an `int` add up to squares of a `long`. */
#include <assert.h>
long odds(int n)
{
    long s = 0;
    if (n < 0)
        return 0;
    for (int i = 0; i < n; i++)
        s += 2 * i + 1;
#ifdef BUG
    assert(s == (long)n * n + (n == 21));
#else
    assert(s == (long)n * n);
#endif
    return s;
}
