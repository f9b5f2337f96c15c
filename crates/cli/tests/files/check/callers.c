/* What functions require is the duty of those that call them. */

/*@ requires 0 < percent <= 100;
    requires level >= 0;
    ensures \result >= 0; */
static int share(int level, int percent)
{
    return level / 100 * percent;
}

/*@ ensures \result >= 0; */
int half(int level)
{
    return share(level, 50);
}

int all(int level)
{
    if (level < 0)
        return 0;
    return share(level, 100);
}
