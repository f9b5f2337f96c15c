/* What a power is between bounds tells base and exponent. */
int power(long long x, int n)
{
    long long y = 1;
    if (x < 6 || x > 9 || n < 0 || n > 12)
        return 0;
    while (n >= 1) {
        y = y * x;
        n = n - 1;
    }
    if (y >= 300 && y <= 400)
        return 1; /* only 7 * 7 * 7 */
    if (y >= 8 && y <= 30)
        return 2; /* one turn, and 8 or 9 */
    if (y >= 100 && y <= 200)
        return 3; /* between squares and cubes */
    return 4;
}
