/* A little of everything that a suite can be asked for. */
enum mode { OFF, SLOW, FAST };

struct motor {
    enum mode mode;
    short speed;
    unsigned char faults;
};

static int limit = 900;

int adjust(struct motor *motor, int wanted)
{
    if (!motor || wanted < 0)
        return -1;
    if (motor->faults > 3 && (motor->mode != OFF || wanted > 0)) {
        motor->mode = OFF;
        motor->speed = 0;
        return 1;
    }
    switch (motor->mode) {
    case OFF:
        return 0;
    case SLOW:
        motor->speed = (short)(wanted > limit / 3 ? limit / 3 : wanted);
        break;
    case FAST:
        motor->speed = (short)(wanted > limit ? limit : wanted);
        break;
    }
    return 2;
}

int digits(int n)
{
    int count = 1;
    if (n < 0)
        n = -(n + 1);
    while (n > 9) {
        n /= 10;
        if (++count == 9)
            break;
    }
    return count;
}

/* The result is anything, and nobody uses it. */
int careless(int n)
{
    if (n > 100)
        return n;
}

double half(double x)
{
    return x * 3.0 - 1.0 == 0.3125 ? x / 2.0 : x;
}

int with_assembly(int n)
{
    __asm__("nop");
    return n > 3;
}

int sscanf(const char *text, const char *format, ...);

int parsed(const char *text)
{
    int n = 0;
    sscanf(text, "%d", &n);
    return n == 31250 ? 1 : 0;
}
