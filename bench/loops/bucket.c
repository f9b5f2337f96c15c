/* A bucket of tokens that never runs over. */
#include <assert.h>
unsigned request(void);
unsigned bucket(void)
{
    unsigned tokens = 10, served = 0, added = 10;
    for (;;) {
        unsigned r = request();
        if (r == 0)
            break;
        if (r <= tokens) {
            tokens -= r;
            served += r;
        }
#ifdef BUG
        if (tokens < 10 || r == 77) {
#else
        if (tokens < 10) {
#endif
            tokens++;
            added++;
        }
        assert(tokens <= 10);
        assert(added == served + tokens);
    }
    return served;
}
