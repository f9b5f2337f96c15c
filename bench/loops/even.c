/* Steps of two stay even. With BUG a far one does not. */
#include <assert.h>
int even(unsigned n)
{
    unsigned i = 0;
    while (i < n && i < 4000000000u) {
        i += 2;
#ifdef BUG
        if (i == 64)
            i++;
#endif
    }
    assert(i % 2 == 0);
    return 0;
}
