/* An assumption says nothing about what happened before it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void reach_error(void)
{
}

void __VERIFIER_assert(int holds)
{
    if (!holds)
        reach_error();
}

int before(unsigned x)
{
    __VERIFIER_assert(x != 3);
    __VERIFIER_assume(x != 3);
    __VERIFIER_assert(x != 3);
    return 0;
}

int turns(void)
{
    int x = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        if (x == 5)
            reach_error();
    }
    __VERIFIER_assume(x < 5);
    return x;
}
