/* A number of 16 bits counts, one of 32 bits adds up. */
#include <assert.h>
unsigned packets(unsigned short n, unsigned short size)
{
    unsigned bytes = 0;
    for (unsigned short i = 0; i < n; i++)
        bytes += size;
#ifdef BUG
    assert(bytes == (unsigned)n * size || n == 9);
    assert(bytes != 1001 || n == 1 || size == 1);
#else
    assert(bytes == (unsigned)n * size);
#endif
    return bytes;
}
