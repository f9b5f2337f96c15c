/* Money moves between two accounts, and none gets lost. */
#include <assert.h>
int order(void);
int bank(void)
{
    int a = 500, b = 500;
    for (;;) {
        int amount = order();
        if (amount == 0)
            break;
        if (amount > 0 && amount <= a) {
            a -= amount;
            b += amount;
#ifdef BUG
        } else if (amount < 0 && amount >= -b - 1) {
#else
        } else if (amount < 0 && amount >= -b) {
#endif
            b += amount;
            a -= amount;
        }
        assert(a + b == 1000);
        assert(a >= 0 && b >= 0);
    }
    return a;
}
