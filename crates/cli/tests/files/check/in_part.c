/* Of these results compilers need only a part, and sanitizers see nothing. */
#include <assert.h>

unsigned char narrow(int x)
{
    unsigned char b = x + 1;
    assert(b <= 255);
    return b;
}

int nothing(int x)
{
    int a[3] = { 1, 2, 3 };
    return a[x] * 0;
}

unsigned short low(int x, int y) { return x * y & 0xff; }
