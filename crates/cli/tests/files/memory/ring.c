/* Pointers that move round a ring. */

int three(int n) {
    int a = 1, b = 2, c = 3;
    int *p = &a, *q = &b, *r = &c, *t;
    for (int i = 0; i < n; i++) {
        t = p;
        p = q;
        q = r;
        r = t;
    }
    if (*p == 3)
        return 1;
    return 0;
}

#ifndef SIZE
#define SIZE 5
#endif

struct place {
    int number;
    struct place *next;
};

int many(unsigned n) {
    struct place ring[SIZE];
    for (int i = 0; i < SIZE; i++) {
        ring[i].number = i;
        ring[i].next = &ring[(i + 1) % SIZE];
    }
    struct place *p = ring;
    while (n-- > 0)
        p = p->next;
    if (p->number == SIZE - 1)
        return 1;
    return 0;
}
