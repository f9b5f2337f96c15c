/* Each read of a volatile object gives a value of its own. */
#include "met.h"

struct s { int a, b; };
struct flags { int n; volatile unsigned char flag; };
volatile int v;
const volatile int c = 3;
volatile struct s both;
static volatile float level;
static volatile short three[3];
static volatile _Bool stop;
struct { volatile unsigned a : 4; unsigned b : 4; } bits;
int plain;
void start(volatile int *done);

int twice(void)
{
    int a = v, b = v;
    if (a != b)
        MET; // covered
    return 0;
}

int constant(void)
{
    if (c == 4)
        MET; // covered
    return 0;
}

int member(struct flags *p)
{
    if (!p)
        return -1;
    p->flag = 0;
    p->n = 1;
    if (p->flag && p->n == 1)
        MET; // covered
    return 0;
}

int statics(void)
{
    level = 1;
    three[1] = 2;
    if (level > 5 && three[1] == -1)
        MET; // covered
    return 0;
}

int waiting(void)
{
    int k = 0;
    stop = 0;
    while (!stop)
        if (++k > 4)
            return -1;
    if (k == 2)
        MET; // covered
    return 0;
}

int copies(void)
{
    struct s x = both, y = both;
    if (x.a == 1 && y.a == 2)
        MET; // covered
    return 0;
}

int narrow(void)
{
    bits.a = 1;
    if (bits.a == 9)
        MET; // covered
    return 0;
}

int by_a_cast(void)
{
    plain = 1;
    if (*(volatile int *)&plain == 2)
        MET; // covered
    return 0;
}

int local(void)
{
    volatile int done = 0;
    start(&done);
    if (done == 3)
        MET; // covered
    return 0;
}
