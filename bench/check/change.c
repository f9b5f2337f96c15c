/* Change in coins: it is worth the amount, and no coin could be exchanged for a larger one. */
#include <assert.h>
#include "word.h"

void check(word amount, word offered)
{
    if (amount < 0 || offered < amount || offered > LARGEST)
        return;
    int rest = offered - amount;
    int fifties = rest / 50;
    rest %= 50;
    int twenties = rest / 20;
    rest %= 20;
    int fives = rest / 5;
#ifdef BUG
    int ones = rest % 5 + (twenties == 2 && fives == 1 && rest > 8);
#else
    int ones = rest % 5;
#endif
    assert(50 * fifties + 20 * twenties + 5 * fives + ones == offered - amount);
    assert(twenties <= 2 && fives <= 3 && ones <= 4);
}
