struct node { int value; struct node *next; };

static int *pick(int c, int *x, int *y)
{
    int *p = x;
    if (c)
        p = y;
    return p;
}

int sum(struct node *list, int c)
{
    int a = 1, b = 2;
    int *p = pick(c, &a, &b);
    struct node *next = list->next;
    return *p + next->value;
}
