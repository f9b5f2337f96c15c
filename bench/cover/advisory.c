/* Chooses a manoeuvre for two vehicles on converging tracks: a decision over many readings, in flight or on rails. */

#define NEAR 300
#define CLEAR 600

enum advice { NONE, CLIMB, DESCEND, HOLD };

int own_height, other_height, own_rate, other_rate;
int distance, closing;
int radar_ok, link_ok, crew_override, other_advice, sensitivity;
int margins[4] = {100, 250, 400, 550};

void read_heights(const int readings[4])
{
    own_height = readings[0];
    other_height = readings[1];
    own_rate = readings[2];
    other_rate = readings[3];
}

void read_situation(int radar, int link, int how_far, int how_fast)
{
    radar_ok = radar;
    link_ok = link;
    distance = how_far;
    closing = how_fast;
}

void read_choices(int override, int other, int level)
{
    crew_override = override;
    other_advice = other;
    sensitivity = level;
}

int margin(void)
{
    if (sensitivity < 0)
        return margins[0];
    if (sensitivity > 3)
        return margins[3];
    return margins[sensitivity];
}

int is_threat(void)
{
    return radar_ok && distance < CLEAR && (closing > 0 || distance < NEAR) && !(crew_override && link_ok);
}

int prefers_climb(int bias)
{
    int gap_up = own_height + bias - other_height;
    int gap_down = other_height - own_height;

    if (gap_up > gap_down)
        return !(own_height < other_height) || (own_height < other_height && gap_up >= margin());
    return own_height > other_height && gap_down <= -margin() && own_rate >= 0;
}

enum advice advise(void)
{
    int up, down;

    if (own_height < 0 || own_height > 15000 || other_height < 0 || other_height > 15000)
        return HOLD;
    if (!is_threat())
        return NONE;
    up = prefers_climb(100) && (other_rate <= 0 || other_advice == DESCEND);
    down = !prefers_climb(0) && (other_rate >= 0 || other_advice == CLIMB) && own_height > 1000;
    if (up && down)
        return HOLD;
    if (up && !(other_advice == CLIMB && link_ok))
        return CLIMB;
    if (down && !(other_advice == DESCEND && link_ok))
        return DESCEND;
    if ((distance < NEAR && closing > 50) || (sensitivity == 3 && !crew_override))
        return HOLD;
    return NONE;
}
