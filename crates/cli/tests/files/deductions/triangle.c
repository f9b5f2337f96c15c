/* Sums of the first numbers. */
unsigned triangle(unsigned i)
{
    unsigned s = 0;
    if (i == 0 || i > 60000)
        return 0;
    while (i > 0) {
        s = s + i;
        i = i - 1;
    }
    if (s >= 100 && s <= 110)
        return 1; /* 105, of 14 */
    if (s >= 92 && s <= 104)
        return 2; /* none is */
    return 3;
}
