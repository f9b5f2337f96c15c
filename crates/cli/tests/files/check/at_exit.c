#include <assert.h>
#include <stdlib.h>

static int open_files;

static void close_all(void)
{
    assert(open_files < 3);
}

int main(int argc, char **argv)
{
    (void)argv;
    open_files = argc;
    return atexit(close_all);
}
