/* Each activation has its own x, which the analysis does not tell apart; pointers to ended objects. */
static int *outer;

static int *down(int n, int *from)
{
    int x = n;
    if (n == 0)
        return from;
    outer = from;
    return down(n - 1, &x);
}

static int *stale(void)
{
    int gone = 1, *p = &gone;
    return p;
}

int main(void)
{
    int base = 0;
    int *p = down(3, &base);
    int *q = stale();
    return p == q;
}
