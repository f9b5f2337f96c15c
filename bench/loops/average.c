/* A running average: it divides by the number of values so far, and never overflows. */
int value(void);
int average(void)
{
    int count = 0, sum = 0;
    for (;;) {
        int v = value();
        if (v < 0 || v > 1000 || count >= 1000000)
            break;
#ifndef BUG
        count++;
#endif
        sum += v;
        if (sum / count > 500) {
            sum = 0;
            count = 1;
        }
#ifdef BUG
        count++;
#endif
        if (sum > 100000000)
            sum = 0;
    }
    return sum;
}
