/* A check of a length that wraps for the upper addresses. */
#include <stdint.h>

int room(uint32_t start)
{
    if ((uint32_t)(start + 0xc0000000u) < start)
        return 1; /* from 2^30 on */
    return 0;
}
