/* The mean of two numbers without a wider type, rounded down. */
#include <assert.h>
#include "word.h"

void check(word a, word b)
{
#ifdef BUG
    word mean = (a & b) + ((a ^ b) / 2);
#else
    word mean = (a & b) + ((a ^ b) >> 1);
#endif
    wide sum = (wide)a + b;
    assert(sum - 2 * (wide)mean == 0 || sum - 2 * (wide)mean == 1);
    assert((a <= mean && mean <= b) || (b <= mean && mean <= a));
}
