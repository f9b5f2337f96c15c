/* The controller of a lift: its state is global, and one step follows another. */

enum phase { IDLE, MOVING_UP, MOVING_DOWN, DOOR_OPENING, DOOR_OPEN, DOOR_CLOSING, FAULT };

static enum phase phase;
static int floor_now, floor_wanted, door_timer, faults;

void request(int wanted)
{
    if (phase == FAULT)
        return;
    if (wanted < 0 || wanted > 9)
        faults++;
    else if (phase == IDLE && wanted != floor_now) {
        floor_wanted = wanted;
        phase = wanted > floor_now ? MOVING_UP : MOVING_DOWN;
    } else if (phase == IDLE || phase == DOOR_CLOSING)
        phase = DOOR_OPENING;
}

int tick(int sensor, int blocked, int key)
{
    if (sensor < -1 || sensor > 9) {
        phase = FAULT;
        return -1;
    }
    switch (phase) {
    case IDLE:
        return 0;
    case MOVING_UP:
    case MOVING_DOWN:
        if (sensor >= 0)
            floor_now = sensor;
        if ((phase == MOVING_UP && floor_now > floor_wanted) || (phase == MOVING_DOWN && floor_now < floor_wanted))
            phase = FAULT;
        else if (floor_now == floor_wanted)
            phase = DOOR_OPENING;
        break;
    case DOOR_OPENING:
        door_timer = 3;
        phase = DOOR_OPEN;
        break;
    case DOOR_OPEN:
        if (blocked)
            door_timer = 3;
        else if (--door_timer == 0)
            phase = DOOR_CLOSING;
        break;
    case DOOR_CLOSING:
        if (blocked && !key)
            phase = DOOR_OPENING;
        else
            phase = IDLE;
        break;
    case FAULT:
        if (key == 1234 && !blocked && floor_now == 0) {
            phase = IDLE;
            faults = 0;
        } else if (++faults > 5)
            return -2;
        break;
    }
    if (phase == FAULT)
        return -3;
    return 1;
}

int ride(int wanted, const int sensors[6])
{
    phase = IDLE;
    floor_now = 2;
    faults = 0;
    request(wanted);
    for (int i = 0; i < 6; i++)
        if (tick(sensors[i], 0, 0) < 0)
            return -1;
    if (phase == IDLE && floor_now == 5)
        return 5;
    if (phase == MOVING_DOWN)
        return 1;
    return 0;
}
