#include <stddef.h>

struct point { int x, y; };
struct box { struct point low, high; char name[8]; int weights[2][3]; };
struct flags { unsigned a : 3; int b : 5; _Bool c : 1; unsigned long long d : 40; int : 4; unsigned e : 2; };
union number { int whole; float real; };
struct node { int value; struct node *next; };
struct tagged { int kind; union number n; struct { short inner; }; const char *label; };
typedef struct { long sum; unsigned char count; } totals;
struct holder { struct { int q; } *inner; };

int sum(const int *a, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}

void sort3(int a[3])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}

int area(struct box *b)
{
    if (!b)
        return -1;
    b->weights[1][2] = b->name[0] + b->name[1];
    b->low.x--;
    return (b->high.x - b->low.x) * (b->high.y - b->low.y);
}

void pack(struct flags *f, int v)
{
    f->b = v;
    f->a++;
    f->d += 1;
    f->e = 3;
}

int last(const struct node *n)
{
    while (n && n->next)
        n = n->next;
    return n ? n->value : -1;
}

struct node *find(struct node *n, int value)
{
    while (n && n->value != value)
        n = n->next;
    return n;
}

const int *greatest(const int a[4])
{
    const int *best = a;
    for (int i = 1; i < 4; i++)
        if (a[i] > *best)
            best = &a[i];
    return best;
}

const char *sign(int x) { return x < 0 ? "minus" : x > 0 ? "plus\t?" : ""; }

struct point mirror(struct point p) { p.x = -p.x; return p; }
struct flags toggled(struct flags f) { f.c = !f.c; f.b = -f.b; return f; }
totals count(totals t, int v) { t.sum += v; t.count++; return t; }
int whole(union number *n) { n->whole++; return n->whole; }
int tag(struct tagged *t) { t->inner++; return t->kind + t->n.whole; }
int count_words(const char **words) { int n = 0; while (n < 8 && words[n]) n++; return n; }
int trace(const int m[][2], int n) { return n == 1 ? m[0][0] : m[0][0] + m[1][1]; }
int inner(struct holder *h) { return h && h->inner ? h->inner->q : -1; }
void link_up(struct node *a, struct node *b) { if (a && b) { a->next = b; b->next = NULL; } }
