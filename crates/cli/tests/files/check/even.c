/* Steps of two stay even, and a clause says how far they go. */
#include <assert.h>

unsigned until(unsigned n)
{
    unsigned i = 0;
    while (i < n && i < 4000000000u)
        i += 2;
    assert(i % 2 == 0);
    return i;
}

/*@ requires 0 <= n <= 1000;
  @ ensures \result == n;
  @*/
int count(int n)
{
    int i = 0;
    while (i < n)
        i++;
    return i;
}
