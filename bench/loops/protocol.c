/* A handshake: data flows only between open and close. */
#include <assert.h>
int message(void);
int protocol(void)
{
    int open = 0, acknowledged = 0, sent = 0;
    for (;;) {
        int m = message();
        if (m == 0)
            return sent;
        if (m == 1 && !open) {
            open = 1;
            acknowledged = 0;
        } else if (m == 2 && open) {
            acknowledged = 1;
        } else if (m == 3 && acknowledged) {
            assert(open);
            sent = 1;
        } else if (m == 4) {
            open = 0;
#ifndef BUG
            acknowledged = 0;
#endif
        }
    }
}
