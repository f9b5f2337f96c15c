/* One bit after the other: no shift is too far. */
int more(void);
unsigned bits(void)
{
    unsigned all = 0;
    int bit = 0;
    while (more()) {
        all ^= 1u << bit;
        bit++;
#ifdef BUG
        if (bit > 32)
#else
        if (bit >= 32)
#endif
            bit = 0;
    }
    return all;
}
