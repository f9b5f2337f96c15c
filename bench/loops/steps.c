/* Small steps to and fro: the sum never overflows. */
int step(void);
int steps(void)
{
    int position = 0;
    for (;;) {
        int s = step();
        if (s == 0)
            break;
        if (s > 100 || s < -100)
            continue;
#ifdef BUG
        if (s > 0 && position > 2147483600)
            position = 2147483600;
        position += 20000000 * (s / 5);
#else
        if (position + s <= 1000 && position + s >= -1000)
            position += s;
#endif
    }
    return position;
}
