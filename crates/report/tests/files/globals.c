#include <stdio.h>

static int level;
int table[6];
volatile int port[3];
extern int limit;
struct item { int id; const char *name; };
static struct item current;
static struct item *head;
static struct { int low, high; } range;
double scale = 1.5;

static int bump(int by)
{
    level += by;
    if (level > limit)
        level = limit;
    return level;
}

int fill(int n)
{
    for (int i = 0; i < n && i < 6; i++)
        table[i] = i * n;
    port[0]++;
    return table[5];
}

int describe(void)
{
    if (!head)
        return 0;
    current = *head;
    head->id = 0;
    head = NULL;
    return current.id;
}

int within(int x) { range.high++; return x >= range.low && x <= range.high; }

int counter(void)
{
    static int calls;
    return ++calls + (scale > 1.0);
}

int main(void)
{
    printf("%d\n", bump(1));
}
