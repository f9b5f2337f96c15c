/* Pointers that walk through arrays, between calls. */
#include <assert.h>

static char buf[8];
static char *rd = buf, *wr = buf;

void put(char c) {
    *wr++ = c;
    if (wr == buf + 8) wr = buf;
    assert(wr <= buf + 1);
}

char get(void) {
    char c = *rd++;
    if (rd == buf + 8) rd = buf;
    return c;
}

int from_start(void) {
    assert(wr - buf == 0);
    return wr - buf;
}

int behind(void) {
    assert(wr - rd <= 0);
    return wr - rd;
}

int before(void) {
    assert(wr - rd >= 0);
    return wr - rd;
}

int inside(void) {
    assert(wr >= buf && wr < buf + 8);
    return wr - buf;
}

/*@ requires wr >= buf && wr < buf + 8;
    ensures wr >= buf && wr < buf + 8; */
void put_inside(char c) {
    *wr++ = c;
    if (wr == buf + 8) wr = buf;
}

/* The array and the pointer stand in one struct. */
struct ring {
    int n;
    char buf[4];
    char *at;
};
static struct ring ring;

void reset(void) { ring.at = ring.buf; }

int member(void) {
    assert(ring.at != ring.buf + 3);
    return ring.n;
}

int behind_a_pointer(struct ring *r) {
    assert(r->at != r->buf + 4);
    return r->n;
}

/* Where all elements look the same, the start stands for them. */
static int cells[6];
int *cell = cells;

void choose(int n) { cell = cells + (n & 3); }

int followed(void) {
    assert(*cell != 7);
    return *cell;
}

int overlaps(void) {
    cells[3] = 1;
    *cell = 2;
    assert(cells[3] == 1);
    return 0;
}

/* More places than fit into a byte. */
static int table[3000];
static int *end = table;

void push(int x) { *end++ = x; }

int size(void) {
    assert(end - table != 2999);
    return end - table;
}
