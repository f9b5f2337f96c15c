/* What is called may change globals, call back, and call the program. */
#include "met.h"

typedef void (*visit)(int);
struct operations { void (*go)(void); };
void work(void);
void each(visit v);
void each_with(void (*v)(void *), void *context);
void enrol(const struct operations *o);
void run(void);
int g;
struct { int status; unsigned char data[4]; } frame;
static int sum, hidden, cell, n;

static void add(int by)
{
    sum = by;
}

static void seen(void *p)
{
    ++*(int *)p;
}

static void mine(void)
{
    n = 4;
}

void set(int v)
{
    hidden = v;
}

int *where(void)
{
    return &cell;
}

int global(void)
{
    g = 3;
    work();
    if (g != 3)
        MET; // covered
    return 0;
}

int members(void)
{
    frame.status = 0;
    frame.data[2] = 0;
    work();
    if (frame.status == 9 && frame.data[2] == 7)
        MET; // covered
    return 0;
}

int callback(void)
{
    sum = 0;
    each(add);
    if (sum == 5)
        MET; // covered
    return 0;
}

int callback_with_context(void)
{
    int k = 0;
    each_with(seen, &k);
    if (k == 1)
        MET; // covered
    return 0;
}

int callback_in_a_table(void)
{
    static const struct operations o = {mine};
    n = 0;
    enrol(&o);
    run();
    if (n == 4)
        MET; // excluded
    return 0;
}

int by_a_function(void)
{
    hidden = 3;
    work();
    if (hidden == 8)
        MET; // excluded
    return 0;
}

int by_a_pointer(void)
{
    cell = 1;
    work();
    if (cell == 5)
        MET; // excluded
    return 0;
}
