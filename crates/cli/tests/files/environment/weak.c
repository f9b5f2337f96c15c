/* The linker may take other definitions than weak ones. */
#include "met.h"

__attribute__((weak)) int w(int x)
{
    return 0 * x;
}

__attribute__((weak)) void on_event(int *p)
{
    (void)p;
}

__attribute__((weak)) int level = 4;

int result(int x)
{
    if (w(x & 1))
        MET; // excluded
    return 0;
}

int written(void)
{
    int x = 0;
    on_event(&x);
    if (x == 3)
        MET; // excluded
    return 0;
}

int object(void)
{
    if (level == 5)
        MET; // covered
    return 0;
}
