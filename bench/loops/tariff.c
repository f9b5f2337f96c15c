/* A wide sum of what a narrow counter counts. */
#include <assert.h>
unsigned long tariff(unsigned n)
{
    unsigned long fee = 0;
    for (unsigned i = 0; i < n; i++)
        fee += 12;
#ifdef BUG
    assert(fee == 12ul * n + (n == 50));
#else
    assert(fee == 12ul * n);
#endif
    return fee;
}
