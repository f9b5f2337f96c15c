/* Two indices walk towards each other. */
#include <assert.h>
int two_ends(int n)
{
    if (n < 0 || n > 1000000)
        return 0;
    int i = 0, j = n;
    while (i < j) {
        i++;
        j--;
    }
#ifdef BUG
    assert(i + j == n && i == j);
#else
    assert(i + j == n && i - j <= 1);
#endif
    return i;
}
