/* Tricks with bits. */

int count(unsigned x)
{
    int n = 0;

    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}

int highest(unsigned x)
{
    int n = 0;

    if (x == 0)
        return -1;
    if (x >= 0x10000u) {
        x >>= 16;
        n += 16;
    }
    if (x >= 0x100u) {
        x >>= 8;
        n += 8;
    }
    if (x >= 0x10u) {
        x >>= 4;
        n += 4;
    }
    if (x >= 4u) {
        x >>= 2;
        n += 2;
    }
    if (x >= 2u)
        n++;
    if (n > 31)
        return -2; /* dead */
    return n;
}

unsigned reversed(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

int palindrome(unsigned x)
{
    if (reversed(reversed(x)) != x)
        return -1; /* dead */
    if (reversed(x) == x && (x & 0xffffu) == 0x1234u)
        return 2;
    return reversed(x) == x;
}

int power_of_two(unsigned x)
{
    if (x && !(x & (x - 1))) {
        if (x % 3 == 0)
            return 2; /* dead */
        if (x > 0x40000000u)
            return 3;
        return 1;
    }
    return 0;
}

int fields(unsigned word)
{
    unsigned tag = word >> 28, length = word >> 16 & 0xfff, sum = word & 0xffff;

    if (tag == 0 || (tag & 8))
        return 1;
    if (length < 4 || (length & 3) != 0)
        return 2;
    if ((sum ^ length * 17) != tag << 12)
        return 3;
    if (word & 0x00030000u)
        return 4; /* dead: the length is a multiple of four */
    return 0;
}
