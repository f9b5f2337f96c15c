/* A hundred thousand inputs behind one pointer. */
struct big { int a[1000], b[1000][97], c[2][1000]; };

int f(const struct big *s, unsigned k)
{
    long sum = 0;
    if (!s)
        return -1;
    for (int i = 0; i < 1000; i++)
        sum += s->a[i] * (long)s->c[1][999 - i];
    if (sum == 99991 && s->b[k % 1000][50] == 5)
        return 1;
    return sum > 0;
}
