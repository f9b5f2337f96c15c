/* What another file defines is an input of main, too. */
#include "met.h"

struct conf { int a; const char *name; };
extern int n;
extern struct conf conf;
extern const unsigned limits[3];
extern const double gain;
extern int *current;
extern int (*hook)(int);
extern void other(void);
int shared;

static int level(void)
{
    return conf.a;
}

int main(void)
{
    if (n == 1)
        MET; // covered
    if (level() == 12)
        MET; // covered
    if (limits[2] == 5 && gain < -1)
        MET; // covered
    if (current && *current == 44)
        MET; // covered
    if (hook && hook(3) == 5)
        MET; // covered
    shared = 0;
    other();
    if (shared == 3)
        MET; // covered
    return 0;
}
