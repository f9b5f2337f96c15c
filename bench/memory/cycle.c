/*
 * Pointers that change in a loop: round buffers of locals, pointers to pointers, two marks in one array.
 *
 * Out of reach:
 *   rotate           `*p < 1 || *p > 3`: p is always one of three locals with the values 1, 2, 3.
 *   partition        `low > high + 1` behind the loop.
 *   last_written     nothing: each local is the last written for some number of turns.
 *   chase            `at == NULL`: the nodes form a ring.
 *   reverse_in_place `front < back` behind the loop.
 */
#include <stddef.h>

int rotate(unsigned turns)
{
    int a = 1, b = 2, c = 3;
    int *p = &a;
    if (turns > 100)
        return -1;
    while (turns-- > 0)
        p = p == &a ? &b : p == &b ? &c : &a;
    if (*p < 1 || *p > 3)
        return -2;
    return *p == 3;
}

int last_written(int turns)
{
    int odd = 0, even = 0;
    int *p = &odd, *q = &even;
    for (int i = 0; i < turns; i++) {
        int *held = p;
        *p = i;
        p = q;
        q = held;
    }
    if (odd > even)
        return 1;
    if (odd == even)
        return 0;                                            /* no turn, or one */
    return 2;
}

struct ring_node {
    struct ring_node *next;
    int weight;
};

/* Goes round three nodes on the stack. */
int chase(int start, int steps)
{
    struct ring_node a, b, c, *at;
    a.next = &b;
    b.next = &c;
    c.next = &a;
    a.weight = 1;
    b.weight = 10;
    c.weight = 100;
    if (steps < 0 || steps > 20)
        return -1;
    at = start == 0 ? &a : start == 1 ? &b : &c;
    for (int sum = 0; steps > 0; steps--) {
        sum += at->weight;
        at = at->next;
        if (at == NULL)                                      /* out of reach */
            return -2;
        if (sum == 111 && at != &a && start == 0)            /* out of reach: three steps lead back to the start */
            return -3;
    }
    return at->weight;
}

/* Numbers below the pivot come first; the result is how many there are. */
int partition(int *values, int count, int pivot)
{
    int *low = values, *high = values + count - 1;
    if (count < 1 || count > 8)
        return -1;
    while (low <= high) {
        if (*low < pivot) {
            low++;
        } else {
            int t = *low;
            *low = *high;
            *high-- = t;
        }
    }
    if (low > high + 1)
        return -2;
    return (int)(low - values);
}

void reverse_in_place(char *text, size_t length)
{
    char *front, *back;
    if (length == 0)
        return;
    front = text;
    back = text + length - 1;
    while (front < back) {
        char c = *front;
        *front++ = *back;
        *back-- = c;
    }
    if (front < back)
        *text = '\0';
}

/* Follows indices that are stored in an array, until one is met twice. */
int follow(const unsigned char *links, unsigned start)
{
    const unsigned char *at = links + (start & 7);
    unsigned seen = 0;
    for (int steps = 0;; steps++) {
        unsigned index = (unsigned)(at - links);
        if (index > 7)                                       /* out of reach */
            return -1;
        if (seen & 1u << index)
            return steps;
        if (steps >= 8)                                      /* out of reach: only eight can be new */
            return -2;
        seen |= 1u << index;
        at = links + (*at & 7);
    }
}
