/*
 * An arena that hands out aligned pieces of a block of bytes, and a free list within it.
 *
 * Out of reach:
 *   align_up         `aligned < size` for sizes below 2^31.
 *   arena_take       `start + aligned > arena->end` behind the check of the room.
 *   arena_owns       nothing.
 *   arena_scenario   two pieces overlap; the second piece is in front of the first; the mark is behind the top.
 *   pool_scenario    a piece that was given back is not the next to be handed out.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ALIGNMENT 8u

struct arena {
    unsigned char *start;
    unsigned char *top;
    unsigned char *end;
};

static size_t align_up(size_t size)
{
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

void *arena_take(struct arena *arena, size_t size)
{
    size_t aligned;
    unsigned char *piece;
    if (size == 0 || size > 1 << 20)
        return NULL;
    aligned = align_up(size);
    if (aligned < size)
        return NULL;
    if ((size_t)(arena->end - arena->top) < aligned)
        return NULL;
    piece = arena->top;
    arena->top += aligned;
    if (arena->top > arena->end)
        return NULL;
    return piece;
}

int arena_owns(const struct arena *arena, const void *pointer)
{
    const unsigned char *at = pointer;
    return at >= arena->start && at < arena->top;
}

size_t arena_left(const struct arena *arena)
{
    if (arena->top == arena->end)
        return 0;
    return (size_t)(arena->end - arena->top);
}

char *arena_text(struct arena *arena, const char *text)
{
    size_t length = strlen(text);
    char *copy = arena_take(arena, length + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, length + 1);
    if (copy[length] != '\0')                                /* out of reach, unless both overlap */
        return NULL;
    return copy;
}

/* Takes two pieces from a block of 64 bytes. */
int arena_scenario(size_t first, size_t second)
{
    unsigned char block[64];
    struct arena arena;
    unsigned char *a, *b;
    arena.start = arena.top = block;
    arena.end = block + sizeof block;
    a = arena_take(&arena, first);
    b = arena_take(&arena, second);
    if (a == NULL || b == NULL)
        return a == NULL && b == NULL ? 0 : 1;
    if (b < a)                                               /* out of reach */
        return -1;
    if ((size_t)(b - a) < first)                             /* out of reach */
        return -2;
    if (!arena_owns(&arena, b))                              /* out of reach */
        return -3;
    a[first - 1] = 1;
    b[0] = 2;
    if (a[first - 1] != 1)                                   /* out of reach */
        return -4;
    return arena_left(&arena) == 0 ? 3 : 2;
}

struct pool {
    uint16_t next[8];
    uint16_t head;
};

static void pool_init(struct pool *pool)
{
    for (uint16_t i = 0; i < 8; i++)
        pool->next[i] = (uint16_t)(i + 1);
    pool->head = 0;
}

int pool_take(struct pool *pool)
{
    uint16_t taken = pool->head;
    if (taken >= 8)
        return -1;
    pool->head = pool->next[taken];
    return taken;
}

int pool_give(struct pool *pool, int index)
{
    if (index < 0 || index >= 8)
        return 0;
    pool->next[index] = pool->head;
    pool->head = (uint16_t)index;
    return 1;
}

int pool_scenario(int taken, int given)
{
    struct pool pool;
    pool_init(&pool);
    if (taken < 1 || taken > 8)
        return -1;
    for (int i = 0; i < taken; i++)
        if (pool_take(&pool) != i)                           /* out of reach */
            return -2;
    if (given < 0 || given >= taken)
        return -3;
    if (!pool_give(&pool, given))                            /* out of reach */
        return -4;
    if (pool_take(&pool) != given)                           /* out of reach */
        return -5;
    return pool.head == 8 ? 1 : 0;
}
