struct node { int value; struct node *next; };
struct hidden;
int table[4];

int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s == 7 ? 1 : a == table;
}

int is_long(const char *text) { int n = 0; while (text[n]) n++; if (n > 5) return 1; return 0; }

int third(struct node *list)
{
    if (list && list->next && list->next->next)
        return list->next->next->next ? 4 : 3;
    return 0;
}

int same(int *p, int *q) { if (p == q) return 1; return p != 0; }

int twice(int x) { return 2 * x; }

int call(int (*step)(int), int x)
{
    table[0] = 0;
    return step && step(x) > 10;
}

int opaque(struct hidden *h, int x)
{
    if (h)
        return 1;
    if (x > 3)
        return 2;
    return 0;
}

int forged(long address)
{
    int *p = (int *)address;
    if (address > 5 && *p == 3)
        return 2;
    return address == 2;
}
