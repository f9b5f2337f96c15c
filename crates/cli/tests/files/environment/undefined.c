/* Behind something undefined nothing is proved. */
#include "met.h"

static int g(int a)
{
    return a;
}

int other_type(int x)
{
    long r = ((long (*)(long))g)(4);
    if (x == 3)
        MET; // only-after-undefined
    return (int)r;
}

int old_style();

int other_arguments(int x)
{
    old_style(1, 2);
    if (x == 3)
        MET; // only-after-undefined
    return 0;
}

int old_style(int a)
{
    return a;
}

int null_function(int x)
{
    void (*p)(void) = 0;
    p();
    if (x == 3)
        MET; // only-after-undefined
    return 0;
}

int by_a_callee(int x)
{
    if (null_function(0) == 0 && x == 4)
        MET; // only-after-undefined
    return 0;
}

int compared(int x)
{
    int a, b;
    if (&a < &b)
        MET; // only-after-undefined
    return x;
}

int compared_otherwise(int x)
{
    int a, b;
    if (!(&a <= &b))
        MET; // only-after-undefined
    return x;
}

int null_object(int x)
{
    int *p = 0;
    *p = 1;
    if (x == 3)
        MET; // only-after-undefined
    return 0;
}
