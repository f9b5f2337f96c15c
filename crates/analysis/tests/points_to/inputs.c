/* Inputs may be null and may be the same object. */
struct node { int value; struct node *next; };

struct node *current;
static int *hidden;

int f(struct node *l, int **pp, int *n)
{
    int x = 1, *p = &x;
    *pp = p;
    l->next = l;
    current = l->next;
    hidden = *pp;
    *n = 3;
    return *hidden;
}
