/* Saturating arithmetic, and what follows from it. */

#define MOST 32767
#define LEAST (-32768)

short add(short a, short b)
{
    int sum = a + b;

    if (sum > MOST)
        return MOST;
    if (sum < LEAST)
        return LEAST;
    return (short)sum;
}

short multiply(short a, short b)
{
    int product = a * b >> 15;

    if (product > MOST)
        return MOST;
    if (product < LEAST)
        return LEAST; /* dead: only the square of the least is out of range */
    return (short)product;
}

int filter(short x, short y, short gain)
{
    short sum = add(x, y);
    short scaled = multiply(sum, gain);

    if (x > 0 && y > 0 && sum < x)
        return 1; /* dead */
    if (scaled == MOST)
        return 2;
    if (gain >= 0 && sum >= 0 && scaled > sum)
        return 3; /* dead: a gain is below one */
    if (scaled == 12321 && gain == 16384)
        return 4;
    return 0;
}

unsigned add_unsigned(unsigned a, unsigned b, int *saturated)
{
    unsigned sum = a + b;

    if (sum < a) {
        if (saturated)
            *saturated = 1;
        return 0xffffffffu;
    }
    if (saturated)
        *saturated = 0;
    return sum;
}

int accumulate(const short samples[6])
{
    short total = 0;

    for (int i = 0; i < 6; i++) {
        total = add(total, samples[i]);
        if (total == LEAST)
            return -1;
    }
    if (total == MOST && samples[5] < 0)
        return 1; /* dead: the last one took something away */
    if (total > 30000)
        return 2;
    return 0;
}
