/* Static functions: what their callers pass, and what they do not. */

static int table[8];

static int at(int i)
{
    return table[i];
}

static int share(int all, int n)
{
    return all / n;
}

static int deep(int n)
{
    return share(100, n);
}

static int unused(int n)
{
    return 10 / n;
}

static int by_address(int n)
{
    return n ? 10 / n : 0;
}

int (*const handler)(int) = by_address;

int first(int i)
{
    if (i < 0 || i >= 8)
        return 0;
    return at(i);
}

int second(int i)
{
    return at(i & 7);
}

int third(int n)
{
    if (n < 0)
        return 0;
    return deep(n);
}
