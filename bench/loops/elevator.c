/* An elevator with ten floors: it moves with closed doors only. */
#include <assert.h>
int button(void);
int elevator(void)
{
    int floor = 0, open = 1, moving = 0;
    for (;;) {
        int b = button();
        if (b < 0)
            return floor;
        if (moving) {
            if (b == 0)
                moving = 0;
            else if (b == 1 && floor < 9)
                floor++;
#ifdef BUG
            else if (b == 2 && floor >= 0)
#else
            else if (b == 2 && floor > 0)
#endif
                floor--;
        } else if (b == 3) {
            open = 1;
        } else if (b == 4) {
            open = 0;
        } else if (!open) {
            moving = 1;
        }
        assert(floor >= 0 && floor <= 9);
        assert(!(moving && open));
    }
}
