/* Accesses that go wrong, each followed by its repair. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int null_bad(struct node *n)
{
    return n->next->value;
}

int null_good(struct node *n)
{
    if (!n || !n->next)
        return 0;
    return n->next->value;
}

int parameter_bad(int a[6], int i)
{
    return a[i];
}

int parameter_good(int a[6], int i)
{
    if (!a || i < 0 || i >= 6)
        return -1;
    return a[i];
}

int local_bad(unsigned n)
{
    int squares[5] = {0, 1, 4, 9, 16};
    return squares[n % 6];
}

int local_good(unsigned n)
{
    int squares[5] = {0, 1, 4, 9, 16};
    return squares[n % 5];
}

static const short primes[4] = {2, 3, 5, 7};

int global_bad(int n)
{
    if (n < 0)
        return 0;
    return primes[n & 7];
}

int global_good(int n)
{
    return primes[n & 3];
}

char heap_bad(int n, int c)
{
    char *block = malloc(8);
    int last = n;
    char result;
    if (n < 0)
        last = 0;
    if (n > 8)
        last = 8;
    block[last] = (char)(c & 1);
    result = block[last];
    free(block);
    return result;
}

char heap_good(int n, int c)
{
    char *block = malloc(8);
    int last = n;
    char result;
    if (n < 0)
        last = 0;
    if (n > 7)
        last = 7;
    block[last] = (char)(c & 1);
    result = block[last];
    free(block);
    return result;
}

int freed_bad(int n)
{
    int *p = malloc(sizeof *p);
    *p = n & 15;
    if (n == 77)
        free(p);
    return *p;
}

int freed_good(int n)
{
    int result;
    int *p = malloc(sizeof *p);
    *p = n & 15;
    result = *p;
    if (n == 77)
        free(p);
    return result;
}

void twice_bad(int n)
{
    void *p = malloc(4);
    if (n > 100)
        free(p);
    if (n < 200)
        free(p);
}

void twice_good(int n)
{
    void *p = malloc(4);
    if (n > 100)
        free(p);
    else
        free(p);
}

void wrong_bad(int n)
{
    char *p = malloc(4);
    if (n == 3)
        p++;
    free(p);
}

void wrong_good(int n)
{
    char *p = malloc(4);
    if (n == 3)
        p[3] = 1;
    free(p);
}

int unwritten_bad(int n)
{
    int x;
    if (n > 5)
        x = 1;
    return x + 1;
}

int unwritten_good(int n)
{
    int x = 0;
    if (n > 5)
        x = 1;
    return x + 1;
}

int ended_bad(int n)
{
    int *p = &n;
    if (n == 9) {
        int inner = n;
        p = &inner;
    }
    return *p;
}

int ended_good(int n)
{
    int inner;
    int *p = &n;
    if (n == 9) {
        inner = n;
        p = &inner;
    }
    return *p;
}

static const int fixed = 4;

void constant_bad(int n)
{
    int local = 0;
    int *p = n == 21 ? (int *)&fixed : &local;
    *p = n;
}

void constant_good(int n)
{
    int local = 0;
    int *p = &local;
    *p = n;
}

int misaligned_bad(int n)
{
    int words[2] = {1, 2};
    char *p = (char *)words;
    return *(int *)(p + (n & 4) / 2);
}

int misaligned_good(int n)
{
    int words[2] = {1, 2};
    char *p = (char *)words;
    return *(int *)(p + (n & 4));
}
