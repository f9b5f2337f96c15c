/* A delay that doubles up to a limit. */
#include <assert.h>
int fails(void);
int backoff(void)
{
    unsigned delay = 1;
    while (fails()) {
        assert(delay >= 1 && delay <= 64);
#ifdef BUG
        delay = delay < 100 ? 2 * delay : 64;
#else
        delay = delay < 64 ? 2 * delay : 64;
#endif
    }
    return 0;
}
