/* Pointers may be numbers that no object has as its address, and objects may be parts of larger ones. */
#include "met.h"
#include <stddef.h>
#include <stdint.h>

struct node { struct node *next; int v; };
struct link { struct link *next; };
struct item { int key; struct link link; };
extern int *current;

int failed(void *p)
{
    if (p == (void *)-1)
        MET; // excluded
    return 0;
}

int tagged(struct node *p)
{
    if (p && (uintptr_t)p->next & 1)
        MET; // excluded
    return 0;
}

int tombstone(struct node *p)
{
    if (p == (struct node *)1)
        MET; // excluded
    return 0;
}

static int is_odd(const void *p)
{
    return (uintptr_t)p % 2;
}

int by_a_callee(void)
{
    if (is_odd(current))
        MET; // excluded
    return 0;
}

int action(void (*p)(int))
{
    if (p == (void (*)(int))1)
        MET; // excluded
    return 0;
}

int container(struct link *p)
{
    if (!p)
        return -1;
    const struct item *it = (const struct item *)(const void *)((const char *)p - offsetof(struct item, link));
    if (it->key == 3)
        MET; // excluded
    return 0;
}
