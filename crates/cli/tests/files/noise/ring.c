#include <stddef.h>
#include <stdbool.h>

#define SIZE 16

struct ring {
    unsigned char data[SIZE];
    unsigned head, tail, count;
};

static unsigned next(unsigned i)
{
    return (i + 1) % SIZE;
}

static void store(struct ring *r, unsigned at, unsigned char byte)
{
    r->data[at] = byte;
}

void ring_init(struct ring *r)
{
    r->head = r->tail = r->count = 0;
}

bool ring_put(struct ring *r, unsigned char byte)
{
    if (r->count == SIZE)
        return false;
    store(r, r->head % SIZE, byte);
    r->head = next(r->head);
    r->count++;
    return true;
}

bool ring_get(struct ring *r, unsigned char *out)
{
    if (r->count == 0)
        return false;
    *out = r->data[r->tail];
    r->tail = next(r->tail);
    r->count--;
    return true;
}
