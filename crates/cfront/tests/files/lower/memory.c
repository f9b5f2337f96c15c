/* Objects: structs, bit-fields, arrays, pointers, struct arguments and results, variadic functions. */
#include <stdarg.h>

struct point { int x, y; };
struct flags { unsigned a : 3, b : 5; int c : 4; };
static const char *names[2] = { "one", "two" };
static int table[2][3] = { { 1, 2, 3 }, [1] = { [2] = 6 } };
int *cursor = &table[1][2];

struct point moved(struct point p, int d)
{
    p.x += d;
    return p;
}

int use(void)
{
    struct point p = { .y = 2 };
    struct point q = moved(p, 3);
    return q.x + moved(q, 1).y;
}

int bits(struct flags *f)
{
    f->a++;
    f->c = f->b;
    return f->c;
}

int element(int i, int j) { return table[i][j] + names[i & 1][j]; }

long distance(int *a, int *b) { return a < b ? b - a : a - b; }

int total(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

int call_total(void) { return total(2, 3, 4); }

int apply(int (*f)(int, int), int a) { return f(a, a) + (*f)(a, 1); }
