/* What the environment answers. */
#include <stdio.h>
#include <stdlib.h>

int sensor(int channel);

int watch(int limit)
{
    int high = 0;
    for (int i = 0; i < 3; i++)
        if (sensor(i) > limit)
            high++;
    if (high == 3)
        return 1;
    if (high > 3)
        return 2; /* dead: there are three channels */
    return 0;
}

int total(void)
{
    int a, b;
    if (scanf("%d %d", &a, &b) != 2)
        return -1;
    if (a + b == 1000)
        return 1;
    if (getchar() == 'x')
        exit(3);
    return 0;
}
