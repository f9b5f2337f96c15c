/* A list on the heap. */
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void)
{
    struct node *head = 0, end = { 0, 0 };
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head ? head : &end;
        head = n;
    }
    struct node *second = head->next;
    return second->value;
}
