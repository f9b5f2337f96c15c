/* A tree that is allocated node by node. */
#include <stdlib.h>

struct node { struct node *l, *r; int k; };

static struct node *put(struct node *t, int k)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        if (t)
            t->k = k;
        return t;
    }
    if (k < t->k)
        t->l = put(t->l, k);
    else
        t->r = put(t->r, k);
    return t;
}

static int depth(const struct node *t)
{
    if (!t)
        return 0;
    int a = depth(t->l), b = depth(t->r);
    return 1 + (a > b ? a : b);
}

int f(const int *v, int n)
{
    struct node *t = 0;
    for (int i = 0; i < n; i++)
        t = put(t, v[i] ^ (i * 7919));
    if (n > 20 && depth(t) == 6)
        return 1;
    return depth(t) > 3;
}
