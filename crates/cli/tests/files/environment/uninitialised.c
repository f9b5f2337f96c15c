/* Programs that read what they never wrote go on. */
#include "met.h"
#include <stdlib.h>

struct a { int k; char c[4]; };

int local(int x)
{
    int s;
    s++;
    if (x == 5)
        MET; // covered
    return s;
}

int member(int x)
{
    struct a a;
    a.c[0] = 1;
    int t = a.k + 3;
    if (x > 99)
        MET; // covered
    return t;
}

int allocated(int x)
{
    int *p = malloc(4 * sizeof *p);
    if (!p)
        return -1;
    p[1] += 2;
    free(p);
    if (x == -4)
        MET; // covered
    return 0;
}

int summed(int n)
{
    int s, k = 0;
    for (int i = 0; i < 3; i++)
        s += i;
    if (n == 3)
        k = 1;
    if (k)
        MET; // covered
    return s;
}
