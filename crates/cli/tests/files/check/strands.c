/* Strands of computation that have little to do with each other. */
#include <assert.h>
#include <stdlib.h>

static unsigned history[64];
static unsigned sum;

void barrier(int v) { __asm__ volatile("" : : "r"(v)); }

/* What cannot be followed has nothing to do with what is asserted. */
int clamp(int in, int limit)
{
    for (int i = 0; i < 64; i++)
        history[i] = history[i] / 2 + (unsigned)in;
    barrier(in);
    if (limit <= 0)
        return 0;
    int out = in > limit ? limit : in;
    assert(out <= limit);
    return out < 0 ? 0 : out;
}

static unsigned mix(unsigned n)
{
    unsigned s = 1;
    while (n > 1) {
        s = s * 31 + n;
        n = n % 2 ? n / 3 : n / 2;
    }
    return s;
}

/* It ends early unless another strand, which is left out first, has its way. */
int late(int x, unsigned n)
{
    sum += mix(n);
    if (n != 4)
        exit(1);
    assert(x * 3 != 21);
    return 0;
}

/* The other strand never has its way. */
int never(int x, unsigned n)
{
    unsigned m = n & 3;
    sum += mix(m);
    if (m > 3)
        assert(x != 5);
    return 0;
}
