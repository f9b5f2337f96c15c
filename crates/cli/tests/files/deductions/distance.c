/* r is near a on either way, so the product is not far below zero. */
#include <assert.h>
#ifndef LEAST
#define LEAST -900
#endif

void distance(int a, int b)
{
    int k, r;
    if (a < -1000 || a > 1000 || b < -1000 || b > 1000)
        return;
    if (a * b < 9)
        k = 7;
    else
        k = 60;
    if (k <= 10)
        r = a + k;
    else
        r = a - k;
    assert(a * r > LEAST);
}
