/* No more than eight packets are on their way; their numbers wrap. */
#include <assert.h>
int event(void);
unsigned window(unsigned start)
{
    unsigned next = start, base = start;
    for (;;) {
        int e = event();
        if (e == 0)
            return next - base;
#ifdef BUG
        if (e == 1 && next - base <= 8)
#else
        if (e == 1 && next - base < 8)
#endif
            next++;
        else if (e == 2 && base != next)
            base++;
        assert(next - base <= 8);
    }
}
