/* Two sums modulo 255; nothing undefined happens. */
unsigned char next_byte(void);
int checksum(unsigned n)
{
    int a = 1, b = 0;
    while (n--) {
        a = (a + next_byte()) % 255;
#ifdef BUG
        b = b + a;
        if (b > 10)
            b = b / (a - 200);
#else
        b = (b + a) % 255;
#endif
    }
    return b * 256 + a;
}
