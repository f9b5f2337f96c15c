/* Overlapping, long and deep inputs. */
#include "met.h"
#include <string.h>

struct p { int x, y; };
struct n { int v; struct n *next; };
struct t { struct t *l, *r; int k; };

int bytes(int *a, char *b)
{
    if (!a || !b)
        return -1;
    *a = 0;
    *b = 1;
    if (*a != 0)
        MET; // excluded
    return 0;
}

int members(struct p *p, int *q)
{
    if (!p || !q)
        return -1;
    p->y = 1;
    *q = 2;
    if (p->y == 2)
        MET; // excluded
    return 0;
}

int elements(short *a, short *b)
{
    if (!a || !b)
        return -1;
    a[1] = 1;
    *b = 2;
    if (a[1] == 2)
        MET; // excluded
    return 0;
}

int depth(struct t *t)
{
    int d = 0;
    while (t && d < 6) {
        t = t->k > 3 ? t->l : t->r;
        d++;
    }
    if (d == 5)
        MET; // covered
    return 0;
}

int strides(const short *buf, int len)
{
    int s = 0;
    if (!buf || len < 0 || len > 4)
        return -1;
    for (int i = 0; i < len; i++)
        s += buf[2 * i] - buf[2 * i + 1];
    if (s == 11)
        MET; // covered
    return 0;
}
