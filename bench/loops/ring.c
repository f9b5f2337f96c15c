/* A ring buffer: every index stays inside. */
int message(void);
int ring(void)
{
    static int buffer[16];
    unsigned head = 0, used = 0;
    int got = 0;
    for (;;) {
        int m = message();
        if (m == 0)
            return got;
        if (m > 0 && used < 16) {
#ifdef BUG
            buffer[head + used] = m;
#else
            buffer[(head + used) % 16] = m;
#endif
            used++;
        } else if (m < 0 && used > 0) {
            got = buffer[head];
            head = (head + 1) % 16;
            used--;
        }
    }
}
