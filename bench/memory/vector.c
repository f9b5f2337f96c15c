/*
 * A vector that grows with `realloc`.
 *
 * Out of reach:
 *   vector_push      `vector->length > vector->capacity` at the end: before, it was not so. (A capacity of 2^63 doubles to
 *                    0, but then the write in front of it is out of bounds.)
 *   vector_pop       nothing.
 *   vector_insert    nothing but what allocations that fail lead to.
 *   first_numbers    `vector_at(&v, i) != i * i`: growing keeps what is there.
 *   grow_and_check   `grown[0] != a`: what `realloc` moves stays the same.
 */
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct vector {
    int *items;
    size_t length;
    size_t capacity;
};

void vector_free(struct vector *vector)
{
    if (vector == NULL)
        return;
    free(vector->items);
    vector->items = NULL;
    vector->length = vector->capacity = 0;
}

static int vector_reserve(struct vector *vector, size_t capacity)
{
    int *items;
    if (capacity <= vector->capacity)
        return 1;
    if (capacity > INT_MAX / sizeof *items)
        return 0;
    items = realloc(vector->items, capacity * sizeof *items);
    if (items == NULL)
        return 0;
    vector->items = items;
    vector->capacity = capacity;
    return 1;
}

int vector_push(struct vector *vector, int item)
{
    if (vector->length > vector->capacity)
        return -1;
    if (vector->length == vector->capacity) {
        size_t capacity = vector->capacity == 0 ? 4 : vector->capacity * 2;
        if (!vector_reserve(vector, capacity))
            return 0;
    }
    vector->items[vector->length++] = item;
    if (vector->length > vector->capacity)
        return -2;
    return 1;
}

int vector_pop(struct vector *vector, int *item)
{
    if (vector->length == 0)
        return 0;
    vector->length--;
    if (item != NULL)
        *item = vector->items[vector->length];
    return 1;
}

int vector_insert(struct vector *vector, size_t index, int item)
{
    if (index > vector->length || vector->length >= 100)
        return -1;
    if (!vector_reserve(vector, vector->length + 1))
        return 0;
    memmove(vector->items + index + 1, vector->items + index, (vector->length - index) * sizeof *vector->items);
    vector->items[index] = item;
    vector->length++;
    return 1;
}

int vector_at(const struct vector *vector, size_t index, int otherwise)
{
    return index < vector->length ? vector->items[index] : otherwise;
}

/* The squares of the first numbers, pushed and read again. */
int first_numbers(int count)
{
    struct vector v = {NULL, 0, 0};
    int sum = 0;
    if (count < 0 || count > 10)
        return -1;
    for (int i = 0; i < count; i++)
        if (vector_push(&v, i * i) != 1)                     /* out of reach, unless allocations can fail */
            return -2;
    for (int i = 0; i < count; i++) {
        if (vector_at(&v, (size_t)i, -1) != i * i)           /* out of reach */
            return -3;
        sum += v.items[i];
    }
    if (v.capacity != 0 && v.capacity != 4 && v.capacity != 8 && v.capacity != 16)   /* out of reach */
        return -4;
    vector_free(&v);
    return sum > 100;
}

/* Appends two numbers in a buffer of its own; what was there stays. */
int grow_and_check(int a, int b)
{
    int *numbers = malloc(sizeof *numbers), *grown;
    if (numbers == NULL)
        return -1;
    numbers[0] = a;
    grown = realloc(numbers, 2 * sizeof *numbers);
    if (grown == NULL) {
        free(numbers);
        return -1;
    }
    grown[1] = b;
    if (grown[0] != a) {                                     /* out of reach */
        free(grown);
        return -2;
    }
    a = grown[0] == grown[1];
    free(grown);
    return a;
}
