/* A key counts as pressed after three equal samples. */
#include <assert.h>
int sample(void);
int debounce(void)
{
    int last = 0, before = 0, pressed = 0;
    for (;;) {
        int now = sample();
        if (now < 0)
            return pressed;
        now = now > 0;
        if (now && last && before)
            pressed = 1;
#ifdef BUG
        else if (!now && !last)
#else
        else if (!now)
#endif
            pressed = 0;
        assert(!pressed || (now && last) || (now && before));
        before = last;
        last = now;
    }
}
