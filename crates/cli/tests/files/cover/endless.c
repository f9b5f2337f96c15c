/* Takes as long as one likes: nobody knows whether the last branch is dead. */
int hard(unsigned n)
{
    unsigned long long value = n;
    unsigned turns = 0;
    if (n < 2)
        return 0;
    while (value != 1) {
        value = value % 2 ? 3 * value + 1 : value / 2;
        turns++;
    }
    if (turns == 4000)
        return 1;
    return 2;
}
