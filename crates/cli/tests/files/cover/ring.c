/* Places in arrays that only some inputs lead to. */
struct ring {
    int n;
    char buf[4];
    char *at;
};

static char buf[8];
static char *wr = buf;
static struct ring ring;
static int grid[3][5];
static int *cell = grid[0];
static int (*row)[5] = grid;

void put(char c) {
    *wr++ = c;
    if (wr == buf + 8) wr = buf;
}

void reset(void) { ring.at = ring.buf; }

int full(void) {
    if (ring.at == ring.buf + 4) return 1;
    return 0;
}

int last(struct ring *r) {
    if (r->at == r->buf + 3) return 1;
    return 0;
}

int next(void) {
    if (++cell == &grid[2][1]) return 1;
    return 0;
}

int third(void) {
    if (++row == grid + 2) return 1;
    return 0;
}
