/* What the compiler, or the world, decides. */
#include <assert.h>
#include <stdlib.h>

static int differ(const void *p, const void *q)
{
    return p != q;
}

int literals(void)
{
    const char *a = "text", *b = "text", *c = "next";
    assert(differ(a, c));
    assert(differ(a, b));
    return 0;
}

int first[2], second[2];

int neighbours(void)
{
    assert(differ(first, second));
    assert(differ(first + 1, second));
    assert(differ(first + 2, second));
    return 0;
}

int environment(void)
{
    assert(getenv("HOME") == 0);
    return 0;
}
