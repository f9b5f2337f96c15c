/* A product by additions. */
#include <assert.h>
unsigned multiply(unsigned a, unsigned b)
{
    unsigned product = 0;
    for (unsigned i = 0; i != b; i++)
        product += a;
#ifdef BUG
    assert(product == a * b || a == b);
    assert(product != 143 || a == 1 || b == 1);
#else
    assert(product == a * b);
#endif
    return product;
}
