/* Seconds, minutes and hours. */
#include <assert.h>
int tick(void);
int clock_face(void)
{
    int h = 0, m = 0, s = 0;
    while (tick()) {
        s++;
        if (s == 60) {
            s = 0;
            m++;
        }
        if (m == 60) {
            m = 0;
            h++;
        }
#ifdef BUG
        if (h > 24)
#else
        if (h == 24)
#endif
            h = 0;
        assert(s >= 0 && s < 60 && m >= 0 && m < 60);
#ifdef BUG
        assert(m < 1 || s != 7);
#endif
        assert(h >= 0 && h < 24);
    }
    return h;
}
