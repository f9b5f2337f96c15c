#include <stdlib.h>

struct node { int value; struct node *next; };
struct pair { short low, high; double ratio; };

int sum(const struct node *list)
{
    int total = 0;
    for (; list; list = list->next)
        total += list->value;
    return total;
}

struct pair range(const int *values, unsigned n)
{
    struct pair p = { 0 };
    for (unsigned i = 0; i < n; i++) {
        if (values[i] < p.low)
            p.low = values[i];
        if (values[i] > p.high)
            p.high = values[i];
    }
    p.ratio = p.low ? (double)p.high / p.low : 0;
    return p;
}

unsigned count(const char *text, char wanted)
{
    unsigned n = 0;
    while (*text)
        n += *text++ == wanted;
    return n;
}

void bump(int *cell, int by) { *cell += by; }

int leak(int n)
{
    int *p = malloc(n * sizeof *p);
    free(p);
    return p[0];
}

int oracle(void);
int asks(void) { return oracle() * 10 + oracle(); }
int forever(void) { for (;;); }
int deep(int n) { return n ? deep(n - 1) + 1 : 0; }
int gives_up(void) { __asm__("nop"); return 1; }
