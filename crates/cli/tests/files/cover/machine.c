/* A state machine with globals, a switch machine with fall-through, and dispatch through function pointers. */
enum state { OFF, WAITING, RUNNING, BROKEN };

static enum state state;
static int strikes;

int event(int code)
{
    switch (state) {
    case OFF:
        if (code == 1)
            state = WAITING;
        break;
    case WAITING:
        if (code == 2) {
            state = RUNNING;
            strikes = 0;
        } else if (code == 0)
            state = OFF;
        break;
    case RUNNING:
        if (code < 0) {
            strikes++;
            if (strikes == 3)
                state = BROKEN;
        } else
            state = code > 100 ? OFF : RUNNING;
        break;
    case BROKEN:
        if (code == 777)
            state = OFF;
        break;
    default:
        return -1;
    }
    return state;
}

int decode(unsigned char op, int x)
{
    int y = 0;
    switch (op >> 4) {
    case 0:
        y = 1; /* falls through */
    case 1:
        y += x;
        break;
    case 2 ... 5:
        y = op & 15;
        if (y == 16)
            return -1; /* dead: four bits */
        break;
    default:
        y = x < y;
    }
    return y;
}

static int twice(int x) { return x * 2; }
static int minus(int x) { return -x; }
static int (*const actions[3])(int) = {twice, minus, 0};

int dispatch(unsigned which, int x)
{
    if (which > 2 || !actions[which])
        return 0;
    int r = actions[which](x);
    if (r == 46)
        return 1;
    return 2;
}
