/* The class of a parcel by weight, length and girth, and what is promised about it. */
#include <assert.h>
#include "word.h"
enum class { REFUSED, LETTER, SMALL, LARGE, BULKY };

static enum class classify(word weight, word length, word girth)
{
    if (weight <= 0 || length <= 0 || girth <= 0)
        return REFUSED;
    if (weight > 110 || length + girth > 200)
        return REFUSED;
    if (weight <= 2 && length <= 35 && girth <= 10)
        return LETTER;
    if (length > 100 || girth > 90)
        return BULKY;
#ifdef BUG
    if (weight > 50 || length + girth > 121)
#else
    if (weight > 50 || length + girth > 120)
#endif
        return LARGE;
    return SMALL;
}

void check(word weight, word length, word girth)
{
    enum class class = classify(weight, length, girth);
    if (weight <= 0 || length <= 0 || girth <= 0)
        assert(class == REFUSED);
    if (class == LETTER)
        assert(length + girth <= 45 && weight <= 2);
    if (class == SMALL)
        assert(weight <= 50 && length + girth <= 120);
    if (class == LARGE)
        assert(length <= 100 && girth <= 90 && (weight > 50 || length + girth > 120));
    if (class == BULKY)
        assert(length + girth <= 200 && (length > 100 || girth > 90));
}
