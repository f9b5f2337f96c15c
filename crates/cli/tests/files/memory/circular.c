/* Lists that lead back to their start. */

struct node {
    signed char key;
    struct node *next;
};

int length(struct node *list) {
    int n = 1;
    if (!list || !list->next)
        return 0;
    for (struct node *p = list; n < 5 && p->next != list; n++) {
        p = p->next;
        if (!p)
            return -1;
    }
    if (n == 3)
        return 1;
    return 0;
}

int endless(int a) {
    struct node x = { 0, 0 }, y = { 1, &x }, z = { 2, &y }, *p = &z;
    int k = 0;
    x.next = a > 1 ? &z : &y;
    do {
        p = p->next;
        if (p == &z)
            a++;
    } while (k != 2 && p);
    if (a == 1)
        return 5;
    return 0;
}
