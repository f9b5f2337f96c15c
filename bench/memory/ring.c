/*
 * A ring buffer of bytes whose size is a power of two, and one of records with any size.
 *
 * Out of reach:
 *   ring_init        nothing.
 *   ring_put         `ring->head == ring->tail` at the end: the buffer was not full, so one more byte keeps the two
 *                    counters apart, as long as `data` does not point into the ring itself.
 *   ring_write       `done > length`.
 *   queue_push       `queue->count > QUEUE_SIZE` behind the increment: only a count below the size gets there.
 *   queue_pop        `queue->first >= QUEUE_SIZE` at the end: it was just wrapped around.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct ring {
    uint8_t *data;
    uint32_t size;
    uint32_t head;
    uint32_t tail;
};

int ring_init(struct ring *ring, uint8_t *memory, uint32_t size)
{
    if (ring == NULL || memory == NULL)
        return -1;
    if (size == 0 || (size & (size - 1)) != 0)
        return -2;
    ring->data = memory;
    ring->size = size;
    ring->head = ring->tail = 0;
    return 0;
}

uint32_t ring_used(const struct ring *ring)
{
    return ring->head - ring->tail;
}

int ring_put(struct ring *ring, uint8_t byte)
{
    if (ring_used(ring) >= ring->size)
        return 0;
    ring->data[ring->head & (ring->size - 1)] = byte;
    ring->head++;
    if (ring->head == ring->tail)
        return -1;
    return 1;
}

int ring_get(struct ring *ring, uint8_t *byte)
{
    if (ring->head == ring->tail)
        return 0;
    *byte = ring->data[ring->tail & (ring->size - 1)];
    ring->tail++;
    return 1;
}

size_t ring_write(struct ring *ring, const uint8_t *bytes, size_t length)
{
    size_t done = 0;
    while (done < length && ring_put(ring, bytes[done]) == 1)
        done++;
    if (done > length)
        return 0;
    return done;
}

/* The longest run of used bytes without a wrap. */
uint32_t ring_linear(const struct ring *ring)
{
    uint32_t used = ring_used(ring), start = ring->tail & (ring->size - 1);
    if (start + used > ring->size)
        return ring->size - start;
    return used;
}

#define QUEUE_SIZE 5

struct record {
    uint16_t id;
    uint8_t payload[6];
};

struct queue {
    struct record records[QUEUE_SIZE];
    unsigned first;
    unsigned count;
};

int queue_push(struct queue *queue, const struct record *record)
{
    if (queue->first >= QUEUE_SIZE || queue->count >= QUEUE_SIZE)
        return -1;
    queue->records[(queue->first + queue->count) % QUEUE_SIZE] = *record;
    queue->count++;
    if (queue->count > QUEUE_SIZE)
        return -2;
    return (int)queue->count;
}

int queue_pop(struct queue *queue, struct record *record)
{
    if (queue->first >= QUEUE_SIZE || queue->count == 0)
        return -1;
    memcpy(record, &queue->records[queue->first], sizeof *record);
    queue->first++;
    if (queue->first == QUEUE_SIZE)
        queue->first = 0;
    queue->count--;
    if (queue->first >= QUEUE_SIZE)
        return -2;
    return record->id;
}

/* Pushes and pops a record of its own: what comes out of an empty queue is what went in. */
int queue_echo(unsigned start, uint16_t id, uint8_t tag)
{
    struct queue queue;
    struct record in = {0, {0}}, out;
    memset(&queue, 0, sizeof queue);
    queue.first = start % QUEUE_SIZE;
    in.id = id;
    in.payload[5] = tag;
    if (queue_push(&queue, &in) != 1)                        /* out of reach */
        return -1;
    if (queue_pop(&queue, &out) != id)                       /* out of reach */
        return -2;
    if (out.payload[5] != tag)                               /* out of reach */
        return -3;
    return queue.first == 0;
}
