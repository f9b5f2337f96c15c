/* Arithmetic near the limits of its types, where a careless condition is never or always true. */

int midpoint(int low, int high)
{
    int middle;

    if (low > high)
        return -1;
    if (low >= 0) {
        middle = low + (high - low) / 2;
        if (middle < low || middle > high)
            return -2; /* dead */
    } else if (high < 0)
        middle = low - (low - high) / 2;
    else
        middle = (low + high) / 2;
    if (middle == 0 && low != 0 && low != -high) {
        if (low == -high - 1)
            return 1;
        return 2;
    }
    return middle;
}

int absolute(int x)
{
    if (x == -2147483647 - 1)
        return 2147483647;
    if (x < 0)
        x = -x;
    if (x < 0)
        return -1; /* dead */
    return x;
}

int wrapped(unsigned x, unsigned y)
{
    unsigned sum = x + y;

    if (sum < x) {
        if (sum < y)
            return 1;
        return 2; /* dead: both or none */
    }
    if (x > 0xffff0000u && y > 0x10000u)
        return 3; /* dead: it would have wrapped */
    return 0;
}

int narrow(short a, signed char b, unsigned char c)
{
    short sum = (short)(a + b);

    if (sum != a + b) {
        if (b > 0)
            return 1;
        return 2;
    }
    if ((signed char)c < 0 && c < 128)
        return 3; /* dead */
    if ((unsigned char)b == c && b != c)
        return 4;
    if (a * b == 4064512)
        return 5;
    return 0;
}

int scaled(long long value, int shift)
{
    if (shift < 0 || shift > 62)
        return -1;
    if (value > 0 && value > 9223372036854775807LL >> shift)
        return -2;
    if (value < 0)
        return -3;
    value <<= shift;
    if (value == 0x1200000000000000LL) {
        if (shift == 57)
            return 1;
        return 2;
    }
    return 0;
}
