/* The invariant that is given makes the proof: a flag tells whether the number of turns is odd. */
#include <assert.h>
unsigned hinted(unsigned n)
{
    unsigned count = 0;
    int odd = 0;
    /*@ loop invariant odd == count % 2; */
    while (count < n) {
        count++;
#ifdef BUG
        odd = count < 30 ? !odd : odd;
#else
        odd = !odd;
#endif
    }
    assert(odd == (int)(count % 2));
    return count;
}
