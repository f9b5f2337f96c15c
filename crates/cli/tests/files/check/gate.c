/* Nested conditions, for which every strategy finds the verdicts. */
#include <assert.h>

int gate(int speed, int load, int door)
{
    int limit = 100, power;
    if (door)
        limit = 10;
    if (speed > limit)
        speed = limit;
    if (speed < 0)
        speed = 0;
    if (load > 5)
        power = speed / 2;
    else
        power = speed;
    assert(power <= 100); /* proved */
    assert(!door || power <= 5); /* violated: a light load */
    if (door && speed > 50)
        assert(load == 0); /* unreachable */
    return power;
}
