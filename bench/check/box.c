/* The volume of a box, computed by its kind: the sides are equal, two of them are, or none. */
#include <assert.h>
#include "word.h"

static wide volume(wide a, wide b, wide c)
{
    int kind = (a == b) + 2 * (b == c) + 4 * (a == c);
    if (a <= 0 || b <= 0 || c <= 0)
        return 0;
    switch (kind) {
    case 0:
        return a * b * c;
    case 1:
        return a * a * c;
    case 2:
        return b * b * a;
    case 4:
#ifdef BUG
        return b * b * c;
#else
        return a * a * b;
#endif
    default:
        return a * b * b;
    }
}

void check(word a, word b, word c)
{
    if (a > LARGEST || b > LARGEST || c > LARGEST)
        return;
    wide v = volume(a, b, c);
    if (a <= 0 || b <= 0 || c <= 0)
        assert(v == 0);
    else
        assert(v == (wide)a * b * c);
}
