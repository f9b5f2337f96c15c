#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "environment.h"

struct reading { int channel; double value; unsigned ok : 1; };

int sensor(int channel);
struct reading read_all(void);
const char *label(const char *key, int n);
void notify(int level);

int total(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += sensor(i);
    notify(sum);
    return sum;
}

int weigh(void)
{
    struct reading r = read_all();
    return r.ok ? (int)r.value + r.channel : -1;
}

int labelled(int n) { return label("k", n) == NULL; }

int sum_input(void)
{
    int a = 0;
    long b = 0;
    float f = 0;
    double d = 0;
    short h = 0;
    if (scanf("%d %ld,%f", &a, &b, &f) != 3 || scanf("%lf%hd", &d, &h) != 2)
        return -1;
    return (int)(a + b + f + d + h);
}

int vowels(void)
{
    int c, n = 0;
    while ((c = getchar()) != EOF)
        n += strchr("aeiou", c) != NULL;
    return n;
}

int word(char *buffer)
{
    char text[16];
    if (scanf("%15s", text) != 1)
        return 0;
    strcpy(buffer, text);
    return (int)strlen(text);
}

int dice(void) { return rand() % 6 + 1; }
int hours(void) { return (int)(time(NULL) / 3600) + (clock() < 0); }

int checked(int x)
{
    if (x < 0)
        exit(3);
    return helper(x);
}
