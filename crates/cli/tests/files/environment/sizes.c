/* Sizes are fixed at declarations; names for the linker are those of labels. */
#include "met.h"

extern int mine(const char *) __asm__("atoi");

int type(int n)
{
    if (n < 1 || n > 9)
        return 0;
    typedef int T[n];
    n++;
    if (sizeof(T) == 12 && n == 4)
        MET; // covered
    return 0;
}

static int rows(int n, int (*a)[n], int k)
{
    n = 100;
    return (int)(sizeof *a) == k;
}

int parameter(int k)
{
    int m[2][3] = {{0}};
    if (rows(3, m, k))
        MET; // covered
    return 0;
}

int label(void)
{
    if (mine("12") == 12)
        MET; // covered
    return 0;
}
