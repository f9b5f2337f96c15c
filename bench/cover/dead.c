/* Planted dead code: each branch marked so is unreachable, for a reason of another kind. */

int by_order(int a, int b, int c)
{
    if (a < b && b < c) {
        if (c < a)
            return 1; /* dead: order is transitive */
        return 2;
    }
    return 3;
}

int by_parity(int n)
{
    if (n > -10000 && n < 10000 && (n * n + n) % 2 != 0)
        return 1; /* dead: a product of neighbours is even */
    if ((n & 3) == 2 && (n & 1))
        return 2; /* dead: bits conflict */
    return 0;
}

int by_arithmetic(unsigned x, unsigned y)
{
    if ((x & y) + (x | y) != x + y)
        return 1; /* dead: an identity */
    if (x < 4000u && y < 4000u && x * y > 16000000u)
        return 2; /* dead: 3999 * 3999 is less */
    if (x > y && x - y == 0)
        return 3; /* dead */
    return 0;
}

int by_loop(int n)
{
    int sum = 0;

    if (n < 0 || n > 12)
        return -1;
    for (int i = 1; i <= n; i++)
        sum += i;
    if (sum * 2 != n * (n + 1))
        return 1; /* dead: the sum is known */
    if (sum > 78)
        return 2; /* dead: 78 is that of 12 */
    return sum == 78;
}

int by_state(int command)
{
    int opened = 0, closed = 0;

    if (command & 1)
        opened = 1;
    if (command & 2)
        closed = opened;
    if (closed && !opened)
        return 1; /* dead: only what is open was closed */
    if (opened && closed && (command & 3) != 3)
        return 2; /* dead */
    return opened + closed;
}
