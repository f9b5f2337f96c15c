/*
 * Which object is meant depends on conditions; parameters may be the same object.
 *
 * Out of reach:
 *   pick_local       `a + b != 30`: one of both is set to 20 or 10 such that the sum stays (see there).
 *   swap_sum         `*p + *q != before` (unsigned, so that the sum wraps), also if p and q are the same object.
 *   copy_then_clear  nothing: `*to == 0` is reached if both are the same, or what was copied is 0.
 *   select_pair      `chosen == &left && x >= y`.
 *   scale            `v.y != 2` behind writing through the pointer to x.
 *   same_cell        `i != j && &table[i] == &table[j]`.
 */
#include <stddef.h>

int pick_local(int which)
{
    int a = 10, b = 20;
    int *p = which > 0 ? &a : &b;
    int *q = which > 0 ? &b : &a;
    int held = *p;
    *p = *q;
    *q = held;
    if (a + b != 30)
        return -1;
    if (a == 20)
        return 1;                                            /* reached always */
    return 0;                                                /* out of reach */
}

int swap_sum(unsigned *p, unsigned *q)
{
    unsigned before = *p + *q;
    unsigned held = *p;
    *p = *q;
    *q = held;
    if (*p + *q != before)
        return -1;
    return p == q;
}

int copy_then_clear(int *to, int *from)
{
    if (to == NULL || from == NULL)
        return -1;
    *to = *from;
    *from = 0;
    if (*to == 0)
        return to == from ? 2 : 1;
    return 0;
}

/* With three pointers there are five ways in which they can be equal. */
int three_ways(int *a, int *b, int *c)
{
    *a = 1;
    *b = 2;
    *c = 3;
    if (*a == 3 && *b == 3)
        return 1;                                            /* a == b == c, or a == c and b == c */
    if (*a == 3)
        return 2;                                            /* a == c */
    if (*b == 3)
        return 3;                                            /* b == c */
    if (*a == 2)
        return 4;                                            /* a == b */
    if (*a + *b + *c != 6)
        return 5;                                            /* out of reach */
    return 0;
}

int select_pair(int x, int y)
{
    int left = x, right = y;
    int *chosen = x < y ? &left : &right;
    *chosen = 0;
    if (chosen == &left && x >= y)                           /* out of reach */
        return -1;
    if (left == 0 && right == 0)
        return 2;                                            /* needs the other to be 0 */
    if (left == 0 && x != 0)
        return x < y;
    return 3;
}

struct vector {
    int x, y, z;
};

int scale(int axis, int factor)
{
    struct vector v = {1, 2, 3};
    int *p;
    switch (axis) {
    case 0:
        p = &v.x;
        break;
    case 2:
        p = &v.z;
        break;
    default:
        return -1;
    }
    if (factor < -10 || factor > 10)
        return -2;
    *p *= factor;
    if (v.y != 2)                                            /* out of reach */
        return -3;
    return v.x == v.z ? 1 : 0;                               /* 3 * 1 == 3, axis 0; axis 2 never */
}

int same_cell(unsigned i, unsigned j)
{
    int table[8] = {0};
    if (i >= 8 || j >= 8)
        return -1;
    table[i] = 1;
    table[j] += 2;
    if (i != j && &table[i] == &table[j])                    /* out of reach */
        return -2;
    if (table[i] == 3)
        return 1;                                            /* i == j */
    return table[j] == 2 ? 0 : -3;                           /* always 2 here */
}

/* Two pointers into one buffer that the caller gives; they may meet. */
int meet(int *buffer, size_t first, size_t second)
{
    int *p, *q;
    if (first >= 8 || second >= 8)
        return -1;
    p = buffer + first;
    q = buffer + second;
    *p = 5;
    *q = 7;
    if (*p == 7)
        return p == q ? 1 : -2;                              /* p != q is out of reach */
    if (p > q && first < second)                             /* out of reach */
        return -3;
    return (int)(q - p);
}
