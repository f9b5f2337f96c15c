/* A flow meter, with what its author believes about it. */
#include <assert.h>

enum { WINDOW = 8, LIMIT = 4095 };

/*@ requires 0 <= low <= high <= 4095;
  @ ensures low <= \result <= high;
  @ ensures raw < low ==> \result == low; */
int clamp(int raw, int low, int high)
{
    if (raw > high)
        return high;
    return raw < low ? low : raw;
}

/* The mean of a full window of readings. */
int mean(const int readings[WINDOW])
{
    int sum = 0;
    for (int i = 0; i < WINDOW; i++)
        sum += clamp(readings[i], 0, LIMIT);
    assert(sum / WINDOW <= LIMIT);
    return sum / WINDOW;
}

/* Litres from ticks: 20 ticks make 3 litres. */
int litres(int ticks)
{
    if (ticks < 0)
        return 0;
    int l = ticks * 3 / 20;
    assert(l <= ticks);
    assert(ticks < 7 || l > 1);
    return l;
}

/* Ticks until a counter that advances by two gets past a mark. */
unsigned until(unsigned mark)
{
    unsigned i = 0;
    while (i < mark && i < 4000000000u)
        i += 2;
    assert(i % 2 == 0);
    return i;
}
