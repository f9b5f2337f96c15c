int clamp(int x, int high)
{
    if (x > high)
        return high;
    return x;
}
