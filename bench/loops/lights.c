/* A traffic light: never green on both sides. */
#include <assert.h>
enum light { RED, GREEN, AMBER };
int button(void);
int lights(void)
{
    enum light north = GREEN, east = RED;
    for (;;) {
        int pressed = button();
        if (pressed < 0)
            break;
        if (north == GREEN) {
            if (pressed)
                north = AMBER;
        } else if (north == AMBER) {
            north = RED;
            east = GREEN;
        } else if (east == GREEN) {
#ifdef BUG
            if (pressed == 7)
                north = GREEN;
            else
#endif
            if (pressed)
                east = AMBER;
        } else if (east == AMBER) {
            east = RED;
            north = GREEN;
        }
        assert(!(north == GREEN && east == GREEN));
    }
    return 0;
}
