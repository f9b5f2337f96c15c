/* What runs before main, and by signals. */
#include "met.h"
#include <signal.h>

static int x, plain, depth;
int ready;

static __attribute__((constructor)) void init(void)
{
    x = 42;
}

void prepare(void) __attribute__((constructor));
void prepare(void)
{
    ready += 3;
}

static void on_signal(int n)
{
    plain = n;
}

static void deeper(int n)
{
    depth += n;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 1 && x == 42)
        MET; // covered
    if (argc == 2 && ready == 3)
        MET; // covered
    signal(SIGUSR2, deeper);
    if (depth == SIGUSR2)
        MET; // excluded
    signal(SIGINT, on_signal);
    raise(SIGINT);
    if (argc == 3 && plain == SIGINT)
        MET; // covered
    return 0;
}
