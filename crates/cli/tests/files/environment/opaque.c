/* Pointers to what is hidden lead to what the code casts them to. */
#include "met.h"

struct hidden;
struct stream { int n; struct hidden *state; };
struct inner { int mode; unsigned bits; };
struct job { void *context; int (*run)(void *); };
struct settings { short level; char name[8]; };
typedef struct implementation *handle;
struct real { int references; struct real *up; };
struct slot;
struct slots { struct slot *at[3]; };
struct tagged;
struct kind { int kind; };
struct wide { int kind; long v; };
extern struct elsewhere *current;

int member(struct stream *s)
{
    if (!s || !s->state)
        return -1;
    struct inner *in = (struct inner *)s->state;
    if (in->mode == 16191 && in->bits > 3)
        MET; // covered
    return 0;
}

int context(struct job *j)
{
    if (!j)
        return -1;
    const struct settings *c = j->context;
    if (!c)
        return -2;
    if (c->level == -7 && c->name[1] == 'b')
        MET; // covered
    return 0;
}

static struct real *opened(handle h)
{
    return (struct real *)h;
}

int by_a_function(handle h)
{
    struct real *r = opened(h);
    if (!r)
        return -1;
    if (r->references == 5)
        MET; // covered
    return 0;
}

int element(struct slots *t, unsigned i)
{
    if (!t || i > 2 || !t->at[i])
        return -1;
    if (((struct inner *)t->at[i])->mode == 8)
        MET; // covered
    return 0;
}

int other_file(void)
{
    if (!current)
        return -1;
    struct real *r = (void *)current;
    if (r->references == 8)
        MET; // covered
    return 0;
}

int two_views(struct tagged *p)
{
    if (!p)
        return -1;
    if (((struct kind *)p)->kind != 2)
        return 0;
    if (((struct wide *)p)->v == 70)
        MET; // covered
    return 1;
}

int number(unsigned long h)
{
    if (!h)
        return -1;
    if (((struct real *)h)->references == 8)
        MET; // gave-up
    return 0;
}
