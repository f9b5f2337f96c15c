/* Calls through pointers: only what the pointer may point to is called. */
static int *last;

static int add(int *p, int n) { last = p; return *p + n; }
static int sub(int *p, int n) { return *p - n; }
static int never(int *p, int n) { last = 0; return n; }

static int (*const table[2])(int *, int) = { add, sub };

int main(void)
{
    int x = 1, i = 0;
    int (*f)(int *, int) = never;
    f = sub;
    int y = f(&x, 2);
    while (i < 1)
        i++;
    y += table[i](&x, 3);
    return y;
}
