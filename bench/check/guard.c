/* Whether a press may close: two hands, no foot in the light curtain, and pressure that fits the speed. */
#include <assert.h>
#include "word.h"

static int may_close(word left, word right, word pressure, int curtain, int speed)
{
    int apart = left > right ? left - right : right - left;
    int both = left > 40 && right > 40 && apart < 20;
    int fits = speed == 0 ? pressure < 50 : speed == 1 ? pressure < 90 : pressure >= 30 && pressure < 110;
#ifdef BUG
    return (both && !curtain && fits) || (speed == 2 && left > 100 && right > 79 && apart < 22 && fits);
#else
    return both && !curtain && fits;
#endif
}

void check(word left, word right, word pressure)
{
    if (left < 0 || right < 0 || left > 120 || right > 120)
        return;
    for (int speed = 0; speed < 3; speed++) {
        int closes = may_close(left, right, pressure, 0, speed);
        if (closes) {
            assert(left + right >= 82 && left - right < 20 && right - left < 20);
            assert(pressure < 110 && (speed != 0 || pressure < 50));
        }
        assert(!may_close(left, right, pressure, 1, speed) || closes);
    }
}
