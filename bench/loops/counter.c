/* A counter that stops at its mark. With BUG it starts beyond it. */
#include <assert.h>
int counter(int n)
{
    if (n < 0)
        return 0;
#ifdef BUG
    int i = 1;
#else
    int i = 0;
#endif
    while (i < n)
        i++;
    assert(i == n);
    return i;
}
