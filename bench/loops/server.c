/* A server that never stops: the exit is never taken. */
#include <assert.h>
int request(void);
int server(void)
{
    int load = 0;
    while (load >= 0) {
        int r = request();
        if (r > 0 && load < 100)
            load++;
#ifdef BUG
        else if (r < 0)
#else
        else if (r < 0 && load > 0)
#endif
            load--;
        assert(load <= 100);
    }
    assert(load == 0);
    return load;
}
