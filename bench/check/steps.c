/* Division by repeated subtraction, for divisors of a few sizes. */
#include <assert.h>
#include "word.h"

void check(word n, word d)
{
    if (n < 0 || d <= 0)
        return;
    word rest = n, quotient = 0;
    while (rest >= d) {
        rest -= d;
        quotient++;
    }
    assert(rest >= 0);
#ifdef BUG
    assert(rest < d && quotient <= n / 2 + (d == 1) * 50);
#else
    assert(rest < d && quotient <= n);
#endif
}
