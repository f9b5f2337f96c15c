/* Five places, taken and given back. */
#include <assert.h>
int event(void);
int semaphore(void)
{
    int left = 5, taken = 0;
    for (;;) {
        int e = event();
        if (e == 0)
            break;
#ifdef BUG
        if (e == 1 && left >= 0) {
#else
        if (e == 1 && left > 0) {
#endif
            left--;
            taken++;
        } else if (e == 2 && taken > 0) {
            left++;
            taken--;
        }
        assert(left + taken == 5);
        assert(left >= 0 && left <= 5);
    }
    return left;
}
