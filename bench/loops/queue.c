/* A ring buffer: as many elements as went in and did not come out. */
#include <assert.h>
int event(void);
int queue(void)
{
    unsigned head = 0, tail = 0, count = 0;
    for (;;) {
        int e = event();
        if (e == 0)
            return 0;
        if (e > 0 && count < 16) {
            head = (head + 1) % 16;
            count++;
        }
#ifdef BUG
        if (e < 0) {
#else
        if (e < 0 && count > 0) {
#endif
            tail = (tail + 1) % 16;
            count--;
        }
        assert(count <= 16 && head < 16 && tail < 16);
    }
}
