/* A level that goes up and down between limits. */
#include <assert.h>
int input(void);
int saturate(void)
{
    int level = 50;
    for (;;) {
        int step = input();
        if (step == 99)
            break;
        if (step > 0 && level < 100)
            level++;
#ifdef BUG
        if (step < 0 && level >= 0)
#else
        if (step < 0 && level > 0)
#endif
            level--;
        assert(level >= 0 && level <= 100);
    }
    return level;
}
