/*
 * Large objects: a table of 100,000 elements with many accesses at unknown places, and a buffer of 1 MB that a
 * function hands around without touching it.
 *
 * Out of reach:
 *   scatter          `table[k] > SCATTERED` : each access adds one, and there are SCATTERED of them.
 *   scatter          `total != SCATTERED`: nothing else was changed (checked at the places that were visited).
 *   lookup           `slot >= TABLE_SIZE` behind the reduction.
 *   with_buffer      `result < 0` : the helper answers 0 or 1.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TABLE_SIZE 100000
#define SCATTERED 50

static unsigned char table[TABLE_SIZE];

/* Counts at fifty places that a generator chooses from a seed. */
int scatter(uint32_t seed)
{
    uint32_t places[SCATTERED];
    int most = 0, total = 0;
    for (int i = 0; i < SCATTERED; i++) {
        seed = seed * 1664525u + 1013904223u;
        places[i] = (seed >> 8) % TABLE_SIZE;
        table[places[i]] = 0;
    }
    for (int i = 0; i < SCATTERED; i++)
        table[places[i]]++;
    for (int i = 0; i < SCATTERED; i++) {
        if (table[places[i]] > SCATTERED)
            return -1;
        if (table[places[i]] > most)
            most = table[places[i]];
        total += table[places[i]] > 0;
        table[places[i]] = 0;
    }
    return most * 100 + total;
}

/* Fifty reads at places that the caller names. */
int gather(const uint32_t *places, int count, const unsigned char *source, uint32_t size)
{
    int sum = 0;
    if (count < 0 || count > 50 || size > TABLE_SIZE)
        return -1;
    for (int i = 0; i < count; i++) {
        if (places[i] >= size)
            return -2;
        sum += source[places[i]];
    }
    if (sum < 0)                                             /* out of reach */
        return -3;
    if (sum > 50 * 255)                                      /* out of reach */
        return -4;
    return sum;
}

static short memo[TABLE_SIZE];

/* A memory of earlier results. */
int lookup(uint32_t key, int *hits)
{
    uint32_t slot = key % TABLE_SIZE;
    if (slot >= TABLE_SIZE)
        return -1;
    if (memo[slot] != 0) {
        ++*hits;
        return memo[slot];
    }
    memo[slot] = (short)(key % 997 + 1);
    if (memo[slot] == 0)                                     /* out of reach */
        return -2;
    return memo[slot];
}

struct session {
    int state;
    unsigned char buffer[1 << 20];
    int errors;
};

static int is_idle(const struct session *session)
{
    return session->state == 0 && session->errors == 0;
}

int with_buffer(int state, int errors)
{
    static struct session session;
    int result;
    session.state = state;
    session.errors = errors & 0xff;
    result = is_idle(&session);
    if (result < 0)
        return -1;
    if (session.errors > 255)                                /* out of reach */
        return -2;
    if (result && state != 0)                                /* out of reach */
        return -3;
    return result ? 10 : 20;
}

/* The same with a buffer on the stack. */
int stack_buffer(size_t index, unsigned char value)
{
    unsigned char scratch[1 << 20];
    if (index >= sizeof scratch)
        return -1;
    scratch[index] = value;
    if (scratch[index] != value)                             /* out of reach */
        return -2;
    return scratch[index] == 42 && index == 777777;
}
