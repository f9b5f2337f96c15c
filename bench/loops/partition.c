/* Two pointers around a pivot. */
#include <assert.h>
int greater(int);
int partition(int n)
{
    int low = 0, high = n - 1;
    if (n <= 0 || n > 1000000)
        return 0;
    while (low <= high) {
        assert(low >= 0 && high < n);
        if (greater(low))
            high--;
        else
            low++;
    }
#ifdef BUG
    assert(low == high + 1 && low < n);
#else
    assert(low == high + 1);
#endif
    return low;
}
