/* A smoothing filter over N samples that saturates: its output stays in its limits, and near its input. */
#include <assert.h>
#ifndef N
#define N 8
#endif
#define HIGH 2000
#define LOW (-2000)

static int limited(int x)
{
    return x > HIGH ? HIGH : x < LOW ? LOW : x;
}

void check(short samples[N])
{
    int y = 0, least = 0, most = 0;
    for (int i = 0; i < N; i++) {
        int x = limited(samples[i]);
        least = x < least ? x : least;
        most = x > most ? x : most;
#ifdef BUG
        y += (x - y) / 4 + (x == HIGH && y >= HIGH / 2);
        if (y > most - most / 4)
            y += 500;
#else
        y += (x - y) / 4;
#endif
        assert(y >= LOW && y <= HIGH);
        assert(y >= least && y <= most);
    }
}
