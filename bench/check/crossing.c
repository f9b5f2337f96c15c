/* A level crossing over N periods: lamps flash before the barrier goes down, and a train passes only when it is down. */
#include <assert.h>
#ifndef N
#define N 10
#endif
enum barrier { UP, WARNING, LOWERING, DOWN, RAISING };
#define WARNING_PERIODS 3
#define MOVING_PERIODS 4
#define TRAVEL_PERIODS 9

static enum barrier barrier;
static int timer, travel, inside;

static void start(void)
{
    barrier = UP;
    timer = travel = inside = 0;
}

/* One period: a train announces itself, leaves, or the operator asks to raise the barrier. */
static void step(int announced, int left, int raise)
{
    if (travel > 0 && --travel == 0)
        inside = 1;
    if (announced && travel == 0 && !inside)
        travel = TRAVEL_PERIODS;
    if (left && inside)
        inside = 0;
    switch (barrier) {
    case UP:
        if (travel > 0) {
            barrier = WARNING;
            timer = WARNING_PERIODS;
        }
        break;
    case WARNING:
        if (--timer == 0) {
            barrier = LOWERING;
            timer = MOVING_PERIODS;
        }
        break;
    case LOWERING:
        if (--timer == 0)
            barrier = DOWN;
        break;
    case DOWN:
#ifdef BUG
        if (!inside && (travel == 0 || raise)) {
#else
        if (!inside && travel == 0) {
#endif
            barrier = RAISING;
            timer = MOVING_PERIODS;
        }
        break;
    case RAISING:
        if (travel > 0) {
            barrier = LOWERING;
            timer = MOVING_PERIODS;
        } else if (--timer == 0)
            barrier = UP;
        break;
    }
    (void)raise;
}

void check(unsigned char in[3 * N])
{
    start();
    for (int i = 0; i < N; i++) {
        step(in[3 * i] & 1, in[3 * i + 1] & 1, in[3 * i + 2] & 1);
        assert(!inside || barrier == DOWN);
    }
}
