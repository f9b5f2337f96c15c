/* Rows and columns. */
#include <assert.h>
int nested(int n, int m)
{
    if (n < 0 || m < 0 || n > 10000 || m > 10000)
        return 0;
    int i, j = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            assert(i >= 0 && i < n);
#ifdef BUG
            assert(j < m - 1 || m < 5);
#else
            assert(j >= 0 && j < m);
#endif
        }
    return i + j;
}
