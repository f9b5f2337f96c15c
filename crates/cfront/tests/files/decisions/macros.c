#include <assert.h>
#define BOTH(a, b) ((a) && (b))
#define LARGE(x) (x > 100)
#define unlikely(x) __builtin_expect(!!(x), 0)

int f(int a, int b, int c)
{
    assert(a > 0 || b > 0);
    if (BOTH(a < b, LARGE(c)))
        return 1;
    while (unlikely(!a || c == 3))
        a--;
    int r = a && b;
    switch (c) {
    case 5: return r ? 2 : 3;
    case -1: return 0;
    default: break;
    }
    do {
        c++;
    } while (0);
    for (;;)
        if (c++ > 7)
            return (a > b, b > c) ? 4 : 5;
}
