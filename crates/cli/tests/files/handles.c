/* Handles, rows and callbacks of a library that is not there. */
typedef struct db db;
struct row {
    int id;
    int count;
};
db *db_open(const char *name);
int db_next(db *handle, struct row **out);
struct row *db_find(const db *handle, int id);
int (*db_filter(int kind))(int);
struct row db_first(db *handle);
void db_watch(void (*handler)(int code, void *data), void *data);

struct row mine;
static int seen;

static void handler(int code, void *data)
{
    (void)data;
    if (code == 7)
        seen = 1;
}

int scan(const char *name)
{
    db *handle = db_open(name);
    struct row *row = 0;
    if (!handle)
        return -1;
    if (db_next(handle, &row) == 0 && row) {
        if (row->id == 42)
            return 1;
    }
    return 0;
}

int same(struct row *p)
{
    struct row *row = db_find(0, 1);
    if (row && row == p)
        return 1;
    return 0;
}

int overlap(void)
{
    struct row *row = db_find(0, 1);
    if (!row)
        return -1;
    mine.id = 1;
    row->id = 2;
    if (mine.id == 2)
        return 1;
    return 0;
}

int written(struct row *p)
{
    struct row *row = 0;
    db_next(0, &row);
    if (!row || !p)
        return -1;
    p->id = 1;
    row->id = 2;
    if (p->id == 2)
        return 1;
    return 0;
}

int filtered(int n)
{
    int (*filter)(int) = db_filter(n);
    if (filter)
        return 1;
    return 0;
}

int first(void)
{
    struct row row = db_first(0);
    if (row.id == 3 && row.count == 4)
        return 1;
    return 0;
}

int watched(void)
{
    seen = 0;
    db_watch(handler, &seen);
    if (seen)
        return 1;
    return 0;
}
