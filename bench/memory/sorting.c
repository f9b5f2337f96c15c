/*
 * Sorting: own insertion sort and heap sort with a comparator, and the library's `qsort` and `bsearch`.
 *
 * Out of reach:
 *   by_value         nothing.
 *   insertion_sort   nothing.
 *   smallest_gap     `gap < 0`: the differences of sorted numbers are not negative.
 *   median           `values[0] > values[2]` behind the sort.
 *   find_person      `found->age != age`: the comparator looks at the age.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char name[8];
    unsigned char age;
};

static int by_value(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    if (a < b)
        return -1;
    return a > b;
}

static int by_age(const void *left, const void *right)
{
    const struct person *a = left, *b = right;
    return a->age - b->age;
}

void insertion_sort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *bytes = base, held[16];
    if (size > sizeof held)
        return;
    for (size_t i = 1; i < count; i++) {
        size_t j = i;
        memcpy(held, bytes + i * size, size);
        while (j > 0 && compare(bytes + (j - 1) * size, held) > 0) {
            memmove(bytes + j * size, bytes + (j - 1) * size, size);
            j--;
        }
        memcpy(bytes + j * size, held, size);
    }
}

static void sift_down(int *heap, size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[root] >= heap[child])
            return;
        int t = heap[root];
        heap[root] = heap[child];
        heap[child] = t;
        root = child;
    }
}

void heap_sort(int *values, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(values, i, count);
    while (count > 1) {
        int t = values[0];
        values[0] = values[--count];
        values[count] = t;
        sift_down(values, 0, count);
    }
}

int median(int a, int b, int c)
{
    int values[3] = {a, b, c};
    qsort(values, 3, sizeof values[0], by_value);
    if (values[0] > values[2])
        return -1;
    return values[1];
}

/* The smallest difference between any two of the numbers, or -1. */
long smallest_gap(int *values, size_t count)
{
    long best = -1;
    if (values == NULL || count < 2 || count > 8)
        return -1;
    qsort(values, count, sizeof *values, by_value);
    for (size_t i = 1; i < count; i++) {
        long gap = (long)values[i] - values[i - 1];
        if (gap < 0)
            return -2;
        if (best < 0 || gap < best)
            best = gap;
    }
    return best;
}

/* Someone of an age, in people sorted by age. */
struct person *find_person(struct person *people, size_t count, unsigned char age)
{
    struct person key = {"", 0}, *found;
    key.age = age;
    found = bsearch(&key, people, count, sizeof *people, by_age);
    if (found != NULL && found->age != age)
        return NULL;
    return found;
}

int is_sorted(const int *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (values[i - 1] > values[i])
            return 0;
    return 1;
}
