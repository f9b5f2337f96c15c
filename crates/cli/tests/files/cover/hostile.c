/* Functions that one would not want to run unguarded. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int crashes(int *p, int n)
{
    if (n == 7)
        p = 0;
    return *p;
}

int eats_memory(int n)
{
    long total = 0;
    if (n > 3)
        for (;;) {
            char *block = malloc(1 << 26);
            if (!block)
                return 1;
            block[n & 1023] = 1;
            total += block[n & 1023];
        }
    return (int)total;
}

int writes_files(int n)
{
    if (n == 12) {
        FILE *file = fopen("precious.txt", "w");
        if (file) {
            fputs("gone", file);
            fclose(file);
        }
        return 1;
    }
    if (n == 13)
        remove("precious.txt");
    return 0;
}

int forks(int n)
{
    if (n == 5)
        while (fork() >= 0)
            ;
    return n;
}

int spins(unsigned n)
{
    if (n == 99)
        for (;;)
            ;
    return 1;
}

int recurses(int n)
{
    return n == 0 ? 0 : recurses(n) + 1;
}

int kills(int n)
{
    if (n == 1)
        abort();
    if (n == 2)
        exit(5);
    return n;
}
