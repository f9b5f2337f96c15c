/* Nearly dead code: one input in 2^32 or fewer gets there. */

int exact(unsigned key)
{
    if (key == 0x5bd1e995u)
        return 1;
    return 0;
}

int product(unsigned a, unsigned b)
{
    /* The square of a prime. */
    if (a > 1 && b > 1 && a < 65536 && b < 65536 && a <= b && a * b == 2147117569u) {
        if (a == b)
            return 1;
        return 2; /* dead */
    }
    return 0;
}

int mixed(unsigned x)
{
    unsigned h = x;

    h ^= h >> 16;
    h *= 0x45d9f3bu;
    h ^= h >> 16;
    if (h == 0xdeadbeefu)
        return 1;
    return 0;
}

int chained(int a, int b, int c, int d)
{
    if (a != b + 12345)
        return 0;
    if (b != c - 54321)
        return 1;
    if (c != 7 * d + 3)
        return 2;
    if (d == 1000003)
        return 4;
    return 3;
}
