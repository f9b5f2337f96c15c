/* Truth values in an array that is written at computed places, and a product with many factors. */
#include <assert.h>

void flags(unsigned a, int b)
{
    _Bool v[256] = {1};
    v[b & 255] = a > 2;
    v[b & 127] = 1;
    assert(v[b & 127]);
}

void product(int b, unsigned a)
{
    unsigned w = a, v = 3;
    while (b < 0) {
        w *= a;
        v--;
    }
    assert(b >= 0);
}
