/* A hash that nobody inverts. */
#include <stdint.h>

static uint64_t mix(uint64_t h)
{
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ULL;
    return h ^ h >> 33;
}

int f(uint64_t a, uint64_t b)
{
    uint64_t h = a;
    for (unsigned i = 0; i < 64; i++)
        h = mix(h + b * i);
    if (h == 42)
        return 1;
    if ((h & 0xffffff) == 0x123456 && a < b)
        return 2;
    return a > b;
}
