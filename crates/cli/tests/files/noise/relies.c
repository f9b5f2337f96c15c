/* What is relied on, and what only looks so. */
#include <stddef.h>

struct point { int x, y; };

int followed(const struct point *p) { return p->x == p->y; }

int tested_elsewhere(const struct point *p, int careful)
{
    if (careful && p == NULL)
        return 0;
    return p->x;
}

int tested_later(const struct point *p)
{
    int x = p->x;
    return p ? x : 0;
}

static int is_there(const struct point *p) { return p != NULL; }

int tested_by_another(const struct point *p, int careful)
{
    if (careful && !is_there(p))
        return 0;
    return p->x;
}

int overwritten(struct point *p)
{
    int x = p->x;
    p = NULL;
    return x == p->y;
}

int passes_on(const struct point *p) { return followed(p); }
int passes_null(void) { return passes_on(NULL); }

int share(unsigned n) { return 10 % n == 1; }
int shares_badly(unsigned n) { return n > 3 ? 0 : share(n); }
int divides_more(int n) { return (n & 1) + 10 / (n + 1); }
int untyped(const void *p) { return *(const int *)p == 3; }
int compared(int n, int m) { return n > 3 ? 10 % m : 10 % n; }
