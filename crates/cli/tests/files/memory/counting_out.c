/* People stand in a circle; every so many-th one has to go, until one is left. */
#include <stdlib.h>

struct person {
    int place;
    struct person *next;
};

int left_over(int people, int step) {
    if (people < 1 || step < 1)
        return -1;
    struct person *last = malloc(sizeof *last), *gone;
    struct person *first = last;
    int turns = 0;
    last->place = 1;
    for (int i = 2; i <= people; i++) {
        last->next = malloc(sizeof *last);
        last = last->next;
        last->place = i;
    }
    last->next = first;
    while (last->next != last) {
        for (int i = 1; i < step; i++)
            last = last->next;
        gone = last->next;
        last->next = gone->next;
        free(gone);
        turns++;
    }
    int place = last->place;
    free(last);
    if (turns == TURNS)
        return place;
    return 0;
}
