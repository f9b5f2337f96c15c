#include <assert.h>
#include <limits.h>
#include <stddef.h>
#define NOT(x) (!(x))
#define BOTH(a, b) ((a) && (b))
#define LARGE(x) (x > 100)
#define READY ready == 0
#define WITHIN(x) ((x) > 1 && (x) < 9)
#define APPLY(m, x) m(x)
#define EITHER(a, b) (BOTH(a, 1) || BOTH(b, LARGE(b)))
#define FALSE 0
#define IS_FALSE(a) ((a) == FALSE)

int f(int *p, int q, int c, int ready)
{
    if (BOTH(NOT(p), q > 3))
        return 1;
    if (BOTH(LARGE(c), LARGE(q + 1)))
        return 2;
    if (BOTH(READY, c < LARGE(q)))
        return 3;
    if (BOTH(WITHIN(c), LARGE(LARGE(c))))
        return 4;
    if (APPLY(LARGE, c))
        return 5;
    if (EITHER(c, LARGE(q)))
        return 6;
    if (BOTH(LARGE
             (c), q))
        return 7;
    assert(p != NULL && q < INT_MAX);
    if (BOTH(FALSE, FALSE) || BOTH(IS_FALSE(FALSE), c))
        return 8;
    return 0;
}
