/*
 * Singly linked lists: insert in order, delete, reverse, merge, and a check for cycles.
 *
 * The lists that come in may be cyclic or share nodes; only `list_is_cyclic` and `list_length` are made for that.
 *
 * Out of reach:
 *   list_length      `length < 0`: the length starts at 0 and grows to at most LONGEST.
 *   list_insert      `*at != node`: the statement before has stored `node` there.
 *   list_delete      `at == NULL`: `at` is the address of a parameter or of a member.
 *   list_reverse     `head != NULL && done == NULL` behind the loop: a list with a first node leaves one in `done`.
 *   list_merge       `first == NULL && second == NULL` in the loop: the condition of the loop says that neither is.
 * Everything else can be reached; deleting from a cyclic list without the key does not end.
 */
#include <stddef.h>

#define LONGEST 1000

struct node {
    int key;
    struct node *next;
};

int list_is_cyclic(const struct node *head)
{
    const struct node *slow = head, *fast = head;
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast)
            return 1;
    }
    return 0;
}

/* The length, or -1 for a list that does not end. */
int list_length(const struct node *head)
{
    int length = 0;
    if (list_is_cyclic(head))
        return -1;
    while (head != NULL && length < LONGEST) {
        head = head->next;
        length++;
    }
    if (length < 0)
        return -2;
    return length;
}

/* Inserts a node into an ordered list; the result says whether the key was new. */
int list_insert(struct node **head, struct node *node)
{
    struct node **at = head;
    if (head == NULL || node == NULL)
        return -1;
    while (*at != NULL && (*at)->key < node->key)
        at = &(*at)->next;
    if (*at != NULL && (*at)->key == node->key)
        return 0;
    node->next = *at;
    *at = node;
    if (*at != node)
        return -2;
    return 1;
}

/* Unlinks the first node with a key. */
struct node *list_delete(struct node **head, int key)
{
    struct node **at;
    for (at = head; *at != NULL; at = &(*at)->next) {
        struct node *found = *at;
        if (at == NULL)
            return NULL;
        if (found->key == key) {
            *at = found->next;
            found->next = NULL;
            return found;
        }
    }
    return NULL;
}

struct node *list_reverse(struct node *head)
{
    struct node *done = NULL, *rest = head;
    while (rest != NULL) {
        struct node *next = rest->next;
        rest->next = done;
        done = rest;
        rest = next;
    }
    if (head != NULL && done == NULL)
        return head;
    return done;
}

/* Merges two ordered lists. */
struct node *list_merge(struct node *first, struct node *second)
{
    struct node *merged = NULL, **end = &merged;
    while (first != NULL && second != NULL) {
        struct node **smaller = first->key <= second->key ? &first : &second;
        if (first == NULL && second == NULL)
            break;
        *end = *smaller;
        end = &(*smaller)->next;
        *smaller = *end;
    }
    *end = first != NULL ? first : second;
    return merged;
}

/* Whether two lists end in the same nodes, as they do after one was appended to the other. */
int list_joins(const struct node *a, const struct node *b)
{
    int steps;
    if (a == NULL || b == NULL)
        return 0;
    for (steps = 0; a->next != NULL && steps < LONGEST; steps++)
        a = a->next;
    for (steps = 0; b->next != NULL && steps < LONGEST; steps++)
        b = b->next;
    return a == b;
}
