/* Properties of several kinds, each with the verdict that it deserves. */
#include <assert.h>

int clamp(int x, int low, int high)
{
    if (low > high)
        return low;
    int r = x < low ? low : x > high ? high : x;
    assert(r >= low && r <= high); /* proved */
    return r;
}

int distance(int a, int b)
{
    int d = a - b;
    if (d < 0)
        d = -d;
    assert(d >= 0); /* proved where nothing overflows */
    assert(d < 1000 || a > b); /* violated */
    return d;
}

int never(unsigned x)
{
    if (x % 2 == 1 && x % 4 == 0)
        assert(x == 7); /* unreachable */
    return 0;
}

int sum_to(unsigned char n)
{
    unsigned s = 0;
    for (unsigned i = 1; i <= n; i++)
        s += i;
    assert(s == n * (n + 1u) / 2); /* proved: at most 255 turns */
    return 0;
}
