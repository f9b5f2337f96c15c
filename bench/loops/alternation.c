/* Three modes in turn; another circle of modes, which leads to the bad one, is never entered. */
#include <assert.h>
int tick(void);
int alternation(void)
{
    int mode = 0;
    while (tick()) {
        assert(mode != 7);
        switch (mode) {
        case 0:
            mode = 3;
            break;
        case 3:
            mode = 5;
            break;
        case 5:
#ifdef BUG
            mode = tick() == 12 ? 1 : 0;
#else
            mode = 0;
#endif
            break;
        case 1:
            mode = 4;
            break;
        case 4:
            mode = 7;
            break;
        }
    }
    return mode;
}
