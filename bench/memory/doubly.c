/*
 * A doubly linked list with a sentinel, as an index of entries by recent use.
 *
 * Out of reach:
 *   dl_init          `dl_is_empty(list)` false: the sentinel was just linked to itself.
 *   dl_unlink        the last `if`, true: both links of the entry were just set to the entry itself.
 *   dl_push_front    `list->head.next != entry`: it was just stored there (`entry` may be the sentinel itself).
 *   dl_sum           `count > limit`: the loop ends at `limit`.
 * In `dl_check` both outcomes of all decisions can be reached: what comes in need not be a consistent list.
 */
#include <stddef.h>

struct link {
    struct link *prev;
    struct link *next;
};

struct entry {
    struct link link;
    int key;
    int value;
};

struct list {
    struct link head;
    int length;
};

static int dl_is_empty(const struct list *list)
{
    return list->head.next == &list->head;
}

int dl_init(struct list *list)
{
    list->head.prev = list->head.next = &list->head;
    list->length = 0;
    if (!dl_is_empty(list))
        return -1;
    return 0;
}

void dl_push_front(struct list *list, struct link *entry)
{
    entry->prev = &list->head;
    entry->next = list->head.next;
    list->head.next->prev = entry;
    list->head.next = entry;
    if (list->head.next != entry)
        return;
    list->length++;
}

/* Takes an entry out of the list it is in; a lone entry is linked to itself. */
int dl_unlink(struct list *list, struct link *entry)
{
    if (entry->next == entry)
        return 0;
    entry->prev->next = entry->next;
    entry->next->prev = entry->prev;
    entry->prev = entry->next = entry;
    if (entry->prev != entry->next)
        return -1;
    if (list->length > 0)
        list->length--;
    return 1;
}

/* Whether every link is answered by the link back. */
int dl_check(const struct list *list)
{
    const struct link *at = &list->head;
    int seen = 0;
    do {
        if (at->next == NULL || at->prev == NULL)
            return 0;
        if (at->next->prev != at)
            return 0;
        at = at->next;
        seen++;
    } while (at != &list->head && seen <= list->length);
    return seen == list->length + 1;
}

struct entry *dl_find(struct list *list, int key)
{
    struct link *at;
    for (at = list->head.next; at != &list->head; at = at->next) {
        struct entry *entry = (struct entry *)((char *)at - offsetof(struct entry, link));
        if (entry->key == key)
            return entry;
    }
    return NULL;
}

long dl_sum(const struct list *list, int limit)
{
    const struct link *at = list->head.next;
    long sum = 0;
    int count = 0;
    if (limit < 0)
        return -1;
    while (at != &list->head && count < limit) {
        sum += ((const struct entry *)(const void *)at)->value;
        at = at->next;
        count++;
    }
    if (count > limit)
        return -2;
    return sum;
}

/* Builds a list of three entries on the stack, moves one to the front and sums up. */
long dl_scenario(int a, int b, int c, int moved)
{
    struct list list;
    struct entry entries[3];
    int i, values[3];
    values[0] = a;
    values[1] = b;
    values[2] = c;
    dl_init(&list);
    for (i = 0; i < 3; i++) {
        entries[i].key = i;
        entries[i].value = values[i] % 100;
        dl_push_front(&list, &entries[i].link);
    }
    struct entry *found = dl_find(&list, moved);
    if (found != NULL) {
        dl_unlink(&list, &found->link);
        dl_push_front(&list, &found->link);
    }
    if (list.length != 3)                                    /* out of reach */
        return -1000;
    if (!dl_check(&list))                                    /* out of reach */
        return -1001;
    return dl_sum(&list, 3);
}
