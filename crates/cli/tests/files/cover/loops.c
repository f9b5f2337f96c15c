/* Nested loops, recursion, and goals that need many turns. */
int pairs(int a[6], int n)
{
    int i, j, count = 0;
    if (n < 0 || n > 6)
        return -1;
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++)
            if (a[i] == a[j])
                count++;
    if (count == 15)
        return 1; /* all six are equal */
    if (count == 14)
        return 2; /* dead: no six numbers have fourteen equal pairs */
    return 0;
}

int steps(unsigned n)
{
    int k = 0;
    while (n != 1 && k < 40) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        k++;
    }
    if (k == 25)
        return 1; /* exactly 25 turns */
    return k;
}

static int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

int common(int a, int b)
{
    if (a < 1 || b < 1 || a > 60 || b > 60)
        return 0;
    int g = gcd(a, b);
    if (g == 17 && a != b)
        return 1;
    if (g > a)
        return 2; /* dead: the divisor is not greater */
    return 3;
}

int endless(int n)
{
    while (n > 0)
        if (n == 12345)
            return 1;
    return 0;
}
