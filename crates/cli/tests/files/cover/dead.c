/* Code that no input reaches, for different reasons, and code that one input in 2^32 reaches. */
int ranges(int x)
{
    if (x > 10) {
        if (x < 5)
            return 1; /* dead: ranges */
        return 2;
    }
    return 3;
}

int parity(unsigned x)
{
    unsigned y = 2 * x + 1;
    if (y % 2 == 0)
        return 1; /* dead: 2 * x + 1 is odd, also when it wraps around */
    return 0;
}

int after_return(int x)
{
    return x;
    x = 3; /* dead: no control flow */
    return x;
}

int square(short x)
{
    int s = x * x;
    if (s < 0)
        return 1; /* dead: no overflow for a short */
    return s == 49;
}

int needle(unsigned a)
{
    if ((a ^ 0x5f3759dfu) * 2654435761u == 12345u)
        return 1; /* one input in 2^32 */
    return 0;
}

int overflow(int a)
{
    if (a + 1 < a)
        return 1; /* dead unless overflow wraps around */
    return 0;
}
