void *malloc(unsigned long);
void free(void *);
int printf(const char *, ...);

/* Nothing goes wrong here; what constants and widths alone do not show is a goal all the same. */
int fine(signed char a, unsigned short b)
{
    static int table[4] = {1, 2, 3, 4};
    int local[2] = {0, 0};
    local[1] = a + b * 3;
    table[3] = local[1] % 7 >> 2;
    printf("done\n");
    return table[0] + 0 * a;
}

int numbers(int a, int b)
{
    return (a + b) / b << a;
}

int indices(int i, unsigned char c)
{
    static int small[4], large[256];
    int local[3];
    small[i] = 1;
    local[0] = 1;
    return large[c] > local[i];
}

struct pair {
    int x;
    int y;
};

/* The second access to a place cannot go wrong if the first did not. */
void twice(struct pair *p)
{
    p->y++;
    *p = (struct pair){1, 2};
}

int *scopes(int n)
{
    int *p = &n;
    {
        int inner = n;
        p = &inner;
    }
    *p = 1;
    return p;
}

int (*callback)(int);

int calls(char *text)
{
    free(text);
    printf("%s\n", text);
    return callback(1);
}
