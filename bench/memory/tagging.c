/* Addresses as numbers: tags in pointers, differences of addresses, pointers in pieces. Every branch can be decided:
   those marked "never" are unreachable wherever the objects are put, all others can be taken. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A pointer with two flags in its lowest bits. */
int with_flags(int value, int flags)
{
    int first = value, second = 7;
    uintptr_t word = (uintptr_t)(flags & 1 ? &first : &second) | (uintptr_t)(flags & 3);
    int *place = (int *)(word & ~(uintptr_t)3);
    *place += 1;
    if (first == 5 && second == 7)
        return 1;
    if (first != value && second != 7)
        return 2; /* never: one of them is written */
    if ((word & 3) != (uintptr_t)(flags & 3))
        return 3; /* never: an int is aligned */
    return 0;
}

/* A pointer copied byte by byte. */
int in_bytes(int value)
{
    int target = value;
    int *from = &target, *to;
    for (size_t n = 0; n < sizeof from; n++)
        ((unsigned char *)&to)[n] = ((unsigned char *)&from)[n];
    *to = 3;
    if (target == 3)
        return 1;
    return 2; /* never */
}

/* Two neighbours of a list, kept as the difference of their addresses. */
int by_difference(int before, int behind)
{
    int left = before, right = behind;
    uintptr_t both = (uintptr_t)&left ^ (uintptr_t)&right;
    int *place = (int *)(both ^ (uintptr_t)&left);
    *place = 1;
    if (right == 1 && left == 9)
        return 1;
    if (right != 1)
        return 2; /* never */
    return 0;
}

union cell { long number; int *pointer; };

/* A cell that holds a number or a pointer. */
int either(int value, int kind)
{
    int target = value;
    union cell cell;
    if (kind > 3)
        cell.pointer = &target;
    else
        cell.number = kind;
    if (kind > 10) {
        *cell.pointer = 12;
        if (target != 12)
            return 1; /* never */
        if (value == 4)
            return 2;
    }
    return 0;
}

static int next(int number) { return number + 1; }
static int twice(int number) { return 2 * number; }

/* The address of a function in disguise. */
int disguised(int number, int kind)
{
    int (*function)(int) = kind ? next : twice, (*copy)(int);
    memcpy(&copy, &function, sizeof function);
    uintptr_t word = (uintptr_t)copy;
    word ^= 5;
    word ^= 5;
    int result = ((int (*)(int))word)(number & 7);
    if (result == 15)
        return 1; /* never: it is at most 8, or even */
    if (result == 14)
        return 2;
    return 0;
}

/* How far a place is from the start of a table, found by numbers. */
int distance(unsigned index)
{
    static short table[4];
    uintptr_t place = (uintptr_t)table + 2 * (index & 3);
    short *entry = (short *)place;
    *entry = 5;
    if (table[index & 3] != 5)
        return 1; /* never */
    if (place - (uintptr_t)table == 6)
        return 2;
    return 0;
}
