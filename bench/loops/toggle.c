/* A flag tells whether a number of turns is odd. */
#include <assert.h>
unsigned toggle(unsigned n)
{
    unsigned count = 0;
    int odd = 0;
    while (count < n) {
        count++;
        odd = !odd;
#ifdef BUG
        if (count == 30)
            odd = 0 * odd + 1;
#endif
    }
    assert(odd == (int)(count % 2));
    return count;
}
