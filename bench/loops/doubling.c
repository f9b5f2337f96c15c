/* Powers of two and their sum. */
#include <assert.h>
unsigned doubling(unsigned n)
{
    unsigned power = 1, sum = 1;
    while (n--) {
#ifdef BUG
        power = n == 9 ? 2 * power + 1 : 2 * power;
#else
        power *= 2;
#endif
        sum += power;
        assert(sum == 2 * power - 1);
    }
    return sum;
}
