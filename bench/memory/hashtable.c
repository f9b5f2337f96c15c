/*
 * A hash table of strings with chains, and one of integers with open addressing.
 *
 * Out of reach:
 *   ht_bucket        `index >= BUCKETS`: a remainder of an unsigned number.
 *   ht_put           `entry == NULL` is reached only if allocations can fail.
 *   oa_slot          `probe > SLOTS` behind the loop: the loop ends at SLOTS.
 *   oa_put           `slot >= SLOTS`: what `oa_slot` gives is masked, or negative.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 13
#define SLOTS 16

struct ht_entry {
    struct ht_entry *next;
    int value;
    char key[16];
};

struct hashtable {
    struct ht_entry *buckets[BUCKETS];
    unsigned count;
};

unsigned ht_hash(const char *key)
{
    uint32_t hash = 2166136261u;
    while (*key != '\0') {
        hash ^= (unsigned char)*key++;
        hash *= 16777619u;
    }
    return hash;
}

unsigned ht_bucket(const char *key)
{
    unsigned index = ht_hash(key) % BUCKETS;
    if (index >= BUCKETS)
        abort();
    return index;
}

struct ht_entry *ht_get(const struct hashtable *table, const char *key)
{
    struct ht_entry *entry = table->buckets[ht_bucket(key)];
    while (entry != NULL && strcmp(entry->key, key) != 0)
        entry = entry->next;
    return entry;
}

/* 1 for a new key, 0 for a known one, negative if the key is too long or there is no memory. */
int ht_put(struct hashtable *table, const char *key, int value)
{
    struct ht_entry *entry, **bucket;
    size_t length = strlen(key);
    if (length >= sizeof entry->key)
        return -1;
    entry = ht_get(table, key);
    if (entry != NULL) {
        entry->value = value;
        return 0;
    }
    entry = malloc(sizeof *entry);
    if (entry == NULL)
        return -2;
    bucket = &table->buckets[ht_bucket(key)];
    memcpy(entry->key, key, length + 1);
    entry->value = value;
    entry->next = *bucket;
    *bucket = entry;
    table->count++;
    return 1;
}

int ht_remove(struct hashtable *table, const char *key)
{
    struct ht_entry **at = &table->buckets[ht_bucket(key)];
    while (*at != NULL) {
        struct ht_entry *entry = *at;
        if (strcmp(entry->key, key) == 0) {
            *at = entry->next;
            free(entry);
            table->count--;
            return 1;
        }
        at = &entry->next;
    }
    return 0;
}

struct oa_table {
    uint32_t keys[SLOTS];
    int values[SLOTS];
    uint8_t used[SLOTS];
};

static int oa_slot(const struct oa_table *table, uint32_t key)
{
    uint32_t start = (key * 2654435769u) >> 28;
    int probe;
    for (probe = 0; probe < SLOTS; probe++) {
        uint32_t slot = (start + (uint32_t)probe) & (SLOTS - 1);
        if (!table->used[slot] || table->keys[slot] == key)
            return (int)slot;
    }
    if (probe > SLOTS)
        return -2;
    return -1;
}

int oa_put(struct oa_table *table, uint32_t key, int value)
{
    int slot = oa_slot(table, key);
    if (slot < 0)
        return -1;
    if (slot >= SLOTS)
        return -2;
    table->keys[slot] = key;
    table->values[slot] = value;
    if (table->used[slot])
        return 0;
    table->used[slot] = 1;
    return 1;
}

int oa_get(const struct oa_table *table, uint32_t key, int *value)
{
    int slot = oa_slot(table, key);
    if (slot < 0 || !table->used[slot])
        return 0;
    if (value != NULL)
        *value = table->values[slot];
    return 1;
}
