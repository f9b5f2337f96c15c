/* A fuel gauge: a filtered level becomes a warning. One branch can never be taken. */
enum warning { NONE, LOW, EMPTY, FAULT };

static int last = 50;

static int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}

enum warning gauge(int raw, int engine_on)
{
    int level = clamp(raw, 0, 100);

    if (!engine_on)
        return NONE;
    if (raw < -20 || raw > 120)
        return FAULT;
    last = (3 * last + level) / 4;
    if (last < 5 && level < 10)
        return EMPTY;
    if (last < 15)
        return LOW;
    if (level > 100) /* clamp() does not let that happen */
        return FAULT;
    return NONE;
}
