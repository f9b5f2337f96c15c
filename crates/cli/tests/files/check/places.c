/* Clauses that are undefined somewhere, of behaviors that never apply, and where nothing leads to. */
#include <assert.h>

/*@ requires 0 <= n <= 4 && \valid(a + (0 .. n-1));
    ensures \forall integer i; 0 <= i <= n ==> a[i] == 0; */
void clear(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

/*@ ensures \valid(\result); */
int *gone(void)
{
    int here = 3;
    return &here;
}

/*@ behavior high: assumes x > 5; requires x < 3; ensures \result == 42;
    behavior low: assumes x <= 5; ensures \result == x; */
int partial(int x)
{
    return x;
}

int late(int x)
{
    return x;
    assert(x == 1);
    //@ assert x == 2;
}

int several(int x)
{
    //@ assert x <= x; assert x != 7; assert x < 100;
    return x;
}

int beyond(int x)
{
    return x + 1 > 20 ? 2 : 3;
}
