#include <stdlib.h>

int count;

int next(void) { return ++count; }

int main(void)
{
    if (next() != 1)
        abort();
    return 0;
}
