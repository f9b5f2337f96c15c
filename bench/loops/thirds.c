/* Three counters that go round. */
#include <assert.h>
int tick(void);
int thirds(void)
{
    unsigned a = 0, b = 0, c = 0;
    while (tick()) {
        if (a == b && b == c)
            a++;
        else if (b < a)
            b++;
        else
            c++;
        if (a > 1000000)
            break;
#ifdef BUG
        assert(a != 9 || c != 8 || b != 9);
#else
        assert(a >= b && b >= c && a - c <= 1);
#endif
    }
    return 0;
}
