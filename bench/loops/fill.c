/* Every element of an array is set. */
#include <assert.h>
int fill(int n, int at)
{
    int a[64];
    if (n < 0 || n > 64)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = 7;
#ifdef BUG
    if (at >= 0 && at <= n && at < 64) {
        a[n < 64 ? n : 0] = n < 64 ? 8 : 7;
#else
    if (at >= 0 && at < n) {
#endif
        assert(a[at] == 7);
    }
    return 0;
}
