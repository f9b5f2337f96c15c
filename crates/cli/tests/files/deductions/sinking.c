/* What starts below zero never comes to the end of this loop. */
int sinking(int x)
{
    int below = x < 0;
    while (x < 20) {
        if (x >= 0)
            x = x - 1;
    }
    if (below)
        return 1; /* never */
    return 0;
}
