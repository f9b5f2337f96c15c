/* What goes in comes out three turns later; only small numbers go in. */
#include <assert.h>
int input(void);
int delay_line(unsigned n)
{
    int a = 0, b = 0, c = 0;
    while (n--) {
        int x = input();
        assert(c >= 0 && c < 100);
        c = b;
        b = a;
#ifdef BUG
        a = x >= 0 && x <= 100 ? x : 0;
#else
        a = x >= 0 && x < 100 ? x : 0;
#endif
    }
    return c;
}
