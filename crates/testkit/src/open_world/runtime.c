/* Runs a program in random worlds, and tells what the runs came to.

   A session is a process of its own, in which functions of the program are called a few times. It ends early where a
   sanitizer reports something, or where it takes too long; what it came to before that counts. What comes behind an
   undefined event that is seen by marks is counted apart. */
#define _GNU_SOURCE
#include "attack.h"

#include <limits.h>
#include <sanitizer/asan_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = 4096, MASKS = 24, KEPT = 64, CALLBACKS = 16, POOL = 64, TICKS = 600, DEPTH = 24, FAILURES = 256 };
enum { ABANDONED = 77 };

/* The departures of runs that came to a slot: no set of them is a part of another one. */
struct seen { int count; unsigned short masks[MASKS]; };

struct shared {
    struct seen defined[SLOTS];
    unsigned char undefined[SLOTS];
    long runs;
    int mask;
    int line;
    int dirty;
};

static struct shared *shared;
static unsigned long state = 88172645463325252ul;
static int depth, entries, ticks, allocations, reentered, is_dirty, mask;
static int willing, obliging;

/* ---- random choices ---- */

unsigned long qa_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717ul;
}

int qa_below(int n) { return n > 0 ? (int)((qa_bits() >> 33) % (unsigned)n) : 0; }

int qa_chance(int percent) { return qa_below(100) < percent; }

long qa_number(void)
{
    static const long edges[] = { INT_MAX, INT_MIN, 255, 256, -129, 127, 128, 65535, 32767, -32768, UINT_MAX, LONG_MAX };
    switch (qa_below(10)) {
    case 0: case 1: case 2: case 3:
        if (qa_constant_count > 0)
            return qa_constants[qa_below(qa_constant_count)];
        return qa_below(10);
    case 4:
        if (qa_constant_count > 0)
            return qa_constants[qa_below(qa_constant_count)] + qa_below(3) - 1;
        return 0;
    case 5: case 6: return qa_below(6) - 1;
    case 7: return qa_below(2);
    case 8: return edges[qa_below(sizeof edges / sizeof *edges)];
    default: return (long)qa_bits();
    }
}

double qa_real(void)
{
    switch (qa_below(4)) {
    case 0: return (double)qa_number() + 0.5;
    case 1: return 0.0;
    case 2: return -(double)qa_below(1000) / 7;
    default: return (double)qa_number();
    }
}

/* ---- marks ---- */

static int present_mask(void)
{
    /* A function that another one calls is judged as if it were called from outside: its inputs are of any shape. */
    int all = QA_SHAPE | QA_LENGTH | QA_LARGE_ARRAY | QA_CONTENT | QA_UNION | QA_NO_OVERLAP | QA_ALLOCATION;
    return depth > 1 ? mask | all : mask;
}

static void met(int slot)
{
    if (!shared || slot < 0 || slot >= SLOTS)
        return;
    if (is_dirty) {
        shared->undefined[slot] = 1;
        return;
    }
    struct seen *seen = &shared->defined[slot];
    int now = present_mask(), left = 0;
    for (int i = 0; i < seen->count; i++)
        if ((seen->masks[i] & now) == seen->masks[i])
            return;
    for (int i = 0; i < seen->count; i++)
        if ((seen->masks[i] & now) != now)
            seen->masks[left++] = seen->masks[i];
    if (left < MASKS)
        seen->masks[left++] = (unsigned short)now;
    seen->count = left;
}

static void tick(void)
{
    if (++ticks > TICKS)
        _exit(ABANDONED);
}

int qa_line(int line)
{
    if (shared)
        shared->line = line;
    return 0;
}

void qa_statement(int slot, int line)
{
    tick();
    qa_line(line);
    met(slot);
}

int qa_condition(int slot, int truth)
{
    met(slot + !!truth);
    return truth;
}

int qa_decision(int slot, int truth)
{
    tick();
    return qa_condition(slot, truth);
}

long qa_switch(int slot, long value, int count, const long *labels)
{
    int n = 0;
    while (n < count && labels[n] != value)
        n++;
    met(slot + n);
    return value;
}

void qa_assertion(int slot, int truth)
{
    if (!truth) {
        met(slot);
        _exit(ABANDONED);
    }
}

void qa_undefined(void)
{
    is_dirty = 1;
    if (shared)
        shared->dirty = 1;
}

void qa_depart(int departure)
{
    mask |= departure;
    if (shared)
        shared->mask = mask;
}

/* ---- what the world remembers ---- */

struct kept { char *object; size_t size; qa_writer *writer; long number; int on_stack; };

static struct kept kept[KEPT];
static int n_kept;
static long n_ever_kept;
static char *stack_top;
static struct { int (*function)(int, void *); void *context; long number; int on_stack; } callbacks[CALLBACKS];
static int n_callbacks;

static int is_on_stack(const void *object)
{
    char here;
    return (const char *)object >= &here - 4096 && (const char *)object < stack_top;
}

struct qa_frame qa_open(void) { return (struct qa_frame){ depth, n_ever_kept }; }

/* Forgets what was handed out since then, as far as it may be gone. */
void qa_close(struct qa_frame *frame)
{
    int left = 0;
    for (int i = 0; i < n_kept; i++)
        if (!kept[i].on_stack || kept[i].number < frame->kept)
            kept[left++] = kept[i];
    n_kept = left;
    left = 0;
    for (int i = 0; i < n_callbacks; i++)
        if (!callbacks[i].on_stack || callbacks[i].number < frame->kept)
            callbacks[left++] = callbacks[i];
    n_callbacks = left;
}

struct qa_frame qa_enter(int line)
{
    if (++depth > DEPTH)
        _exit(ABANDONED);
    qa_line(line);
    return qa_open();
}

void qa_leave(struct qa_frame *frame)
{
    depth = frame->depth - 1;
    qa_close(frame);
}

void qa_keep(void *object, size_t size, qa_writer *writer)
{
    if (!object || !stack_top)
        return;
    struct kept one = { object, size, writer, n_ever_kept++, is_on_stack(object) };
    kept[n_kept < KEPT ? n_kept++ : qa_below(KEPT)] = one;
}

void qa_keep_int(int *object) { qa_keep(object, sizeof *object, qa_write_int); }

int *qa_kept_int(void)
{
    for (int n = n_kept; n > 0; n--) {
        struct kept *one = &kept[qa_below(n_kept)];
        if (one->writer == qa_write_int && !__asan_region_is_poisoned(one->object, one->size))
            return (int *)one->object;
    }
    return NULL;
}

void qa_keep_callback(int (*callback)(int, void *), void *context)
{
    if (!callback || !stack_top || n_callbacks == CALLBACKS)
        return;
    callbacks[n_callbacks].function = callback;
    callbacks[n_callbacks].context = context;
    callbacks[n_callbacks].number = n_ever_kept++;
    callbacks[n_callbacks++].on_stack = is_on_stack(context);
}

size_t qa_room(const void *object, size_t size, size_t most)
{
    size_t n = 0;
    while (n < most && !__asan_region_is_poisoned((char *)object + n * size, size))
        n++;
    return n;
}

static void change_past(void)
{
    for (int n = qa_below(4); n > 0 && n_kept > 0; n--) {
        struct kept *one = &kept[qa_below(n_kept)];
        if (__asan_region_is_poisoned(one->object, one->size))
            continue;
        qa_depart(QA_FUNCTION);
        one->writer(one->object);
    }
}

/* ---- what the world does ---- */

int qa_result(void) { return qa_chance(obliging) ? 0 : (int)qa_number(); }

int qa_writes(const void *pointer) { return pointer && qa_chance(willing); }

void qa_world(void)
{
    if (++entries > 60)
        _exit(ABANDONED);
    int line = shared ? shared->line : 0;
    for (int n = 0; n < qa_globals; n++)
        if (qa_chance(willing / 3))
            qa_change_global(n);
    if (qa_chance(willing / 2))
        change_past();
    if (n_callbacks > 0 && qa_chance(willing / 2)) {
        int n = qa_below(n_callbacks);
        qa_depart(QA_FUNCTION);
        callbacks[n].function((int)qa_number(), callbacks[n].context);
    }
    if (stack_top && reentered < 2 && qa_chance(willing / 5)) {
        reentered++;
        qa_depart(QA_FUNCTION | QA_CONTENT | QA_SHAPE);
        qa_call(qa_below(qa_calls));
        reentered--;
    }
    qa_line(line);
}

void *qa_malloc(size_t size)
{
    if (qa_chance(20)) {
        if (++allocations > 8)
            qa_depart(QA_ALLOCATION);
        return NULL;
    }
    allocations++;
    void *block = malloc(size);
    return block;
}

/* ---- values for parameters and objects of the world ---- */

static struct { void *object; size_t size; char type; } pool[POOL];
static int n_pool;

static void *fresh(size_t size, char type)
{
    void *object = calloc(1, size ? size : 1);
    if (n_pool < POOL) {
        pool[n_pool].object = object;
        pool[n_pool].size = size;
        pool[n_pool++].type = type;
    }
    qa_depart(QA_SHAPE | QA_CONTENT);
    return object;
}

/* An object that somebody else has already. */
static void *known(char type)
{
    for (int tries = 0; tries < 6 && n_pool > 0; tries++) {
        int n = qa_below(n_pool);
        if (pool[n].type == type && !__asan_region_is_poisoned(pool[n].object, pool[n].size)) {
            qa_depart(QA_SHAPE | QA_NO_OVERLAP);
            return pool[n].object;
        }
    }
    return NULL;
}

static int an_answer(int x) { return qa_chance(50) ? x : (int)qa_number(); }

static int the_world(int x)
{
    qa_world();
    qa_depart(QA_SHAPE);
    return an_answer(x);
}

int (*qa_own_hook(void))(int) { return qa_chance(50) ? an_answer : the_world; }

int (*qa_hook(void))(int)
{
    qa_depart(QA_SHAPE);
    return qa_chance(20) ? NULL : qa_own_hook();
}

int *qa_ints(void)
{
    if (qa_chance(12))
        return NULL;
    int *other = qa_chance(30) ? known('i') : NULL;
    if (other)
        return other;
    return qa_counted(qa_chance(80) ? 1 + qa_below(12) : 70);
}

int *qa_counted(int n)
{
    if (n < 0 || n > 4096)
        n = 0;
    int *ints = fresh((size_t)n * sizeof *ints, 'i');
    for (int i = 0; i < n; i++)
        ints[i] = (int)qa_number();
    return ints;
}

unsigned char *qa_buffer(unsigned n)
{
    if (qa_chance(8))
        return NULL;
    if (n > 4096)
        n = 0;
    unsigned char *bytes = fresh(n, 'b');
    for (unsigned i = 0; i < n; i++)
        bytes[i] = (unsigned char)qa_number();
    return bytes;
}

char *qa_text(void)
{
    if (qa_chance(8))
        return NULL;
    int n = qa_chance(70) ? qa_below(8) : qa_below(60);
    char *text = fresh((size_t)n + 1, 's');
    for (int i = 0; i < n; i++) {
        text[i] = (char)(qa_chance(60) ? "abcxyz019 -"[qa_below(11)] : qa_number());
        if (!text[i])
            text[i] = 'q';
    }
    return text;
}

struct node *qa_list(void)
{
    if (qa_chance(12))
        return NULL;
    struct node *other = qa_chance(20) ? known('n') : NULL;
    if (other)
        return other;
    struct node *first = NULL, *last = NULL;
    for (int n = qa_chance(80) ? 1 + qa_below(6) : 30; n > 0; n--) {
        struct node *one = fresh(sizeof *one, 'n');
        one->v = (int)qa_number();
        one->next = first;
        first = one;
        if (!last)
            last = one;
    }
    if (qa_chance(10))
        last->next = first;
    return first;
}

struct node **qa_link(void)
{
    struct node **link = fresh(sizeof *link, 'l');
    *link = qa_list();
    return link;
}

struct dev *qa_dev(void)
{
    if (qa_chance(12))
        return NULL;
    struct dev *other = qa_chance(25) ? known('d') : NULL;
    if (other)
        return other;
    struct dev *one = fresh(sizeof *one, 'd');
    qa_write_dev(one);
    return one;
}

struct box *qa_box(void)
{
    if (qa_chance(12))
        return NULL;
    struct box *one = fresh(sizeof *one, 'x');
    one->n = qa_below(6);
    one->p = qa_chance(80) ? qa_counted(one->n) : qa_ints();
    return one;
}

union word *qa_union(void)
{
    if (qa_chance(12))
        return NULL;
    union word *one = fresh(sizeof *one, 'u');
    one->i = (int)qa_number();
    qa_depart(QA_UNION);
    return one;
}

void qa_write_int(void *object) { *(int *)object = (int)qa_number(); }

void qa_write_node(void *object)
{
    struct node *node = object;
    node->v = (int)qa_number();
    if (qa_chance(30))
        node->next = qa_chance(50) ? NULL : qa_list();
}

void qa_write_dev(void *object)
{
    struct dev *dev = object;
    dev->id = (int)qa_number();
    dev->state = (unsigned char)qa_number();
    dev->level = (short)qa_number();
    if (qa_chance(40)) {
        dev->out = qa_ints();
        dev->hook = qa_hook();
    }
}

/* ---- sessions ---- */

__attribute__((constructor(101))) static void set_up(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        abort();
    for (int n = 0; n < qa_device_count; n++) {
        void *page = (void *)(qa_devices[n] & ~4095ul);
        if (mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != page)
            abort();
    }
    willing = 30;
    obliging = 50;
}

static void session(unsigned long seed, long most)
{
    state = seed | 1;
    for (int n = 0; n < 4; n++)
        qa_bits();
    char here;
    stack_top = &here + 512;
    static const int willings[] = { 0, 10, 40, 80, 95 }, obligings[] = { 0, 20, 50, 90 };
    willing = willings[qa_below(5)];
    obliging = obligings[qa_below(4)];
    mask = shared->mask = 0;
    shared->dirty = 0;
    qa_start();
    if (qa_chance(40)) {
        qa_depart(QA_CONTENT);
        for (int n = 0; n < qa_globals; n++)
            if (qa_chance(50))
                qa_change_global(n);
    }
    long calls = qa_chance(40) ? 1 : 1 + qa_below(8);
    for (long n = 0; n < calls && n < most; n++) {
        /* What earlier calls left behind may be anything, pointers included. */
        if (n > 0)
            qa_depart(QA_CONTENT | QA_SHAPE);
        shared->runs++;
        entries = ticks = allocations = 0;
        shared->line = 0;
        qa_call(qa_below(qa_calls));
    }
}

/* Tells what a sanitizer said, once for each line and kind. */
static void tell_report(FILE *log)
{
    static struct { int line; char kind[48]; } told[FAILURES];
    static int n_told;
    char text[4096], kind[48] = "unknown", *start;
    rewind(log);
    text[fread(text, 1, sizeof text - 1, log)] = 0;
    int line = shared->line;
    char *place = strstr(text, "program.c:"), *world = strstr(text, "environment.c:"), *own = strstr(text, "runtime.c:");
    if ((start = strstr(text, "runtime error: ")))
        sscanf(start + 15, "%47[^\n]", kind);
    else if ((start = strstr(text, "AddressSanitizer: ")))
        sscanf(start + 18, "%47s", kind);
    int of_world = (world && (!place || world < place)) || (own && (!place || own < place));
    if (of_world)
        strcpy(kind, "of the world");
    else if (place)
        sscanf(place, "program.c:%d", &line);
    for (int n = 0; n < n_told; n++)
        if (told[n].line == line && !strncmp(told[n].kind, kind, 12))
            return;
    if (n_told < FAILURES) {
        told[n_told].line = line;
        strcpy(told[n_told++].kind, kind);
        printf("report %d %d %d %s\n", line, shared->mask, shared->dirty, kind);
        if (of_world)
            printf("%s\n", text);
    }
}

int main(int argc, char **argv)
{
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    long runs = argc > 2 ? atol(argv[2]) : 1000;
    FILE *log = tmpfile();
    long ended = 0, stopped = 0, abandoned = 0;
    if (!log)
        return 2;
    for (unsigned long n = 1; shared->runs < runs; n++) {
        rewind(log);
        if (ftruncate(fileno(log), 0))
            return 2;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            dup2(fileno(log), 2);
            alarm(10);
            session((seed * 1000003ul + n) * 2654435769ul, runs - shared->runs);
            if (qa_chance(25))
                exit(0);
            _exit(0);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return 2;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            ended++;
        else if (WIFEXITED(status) && WEXITSTATUS(status) == ABANDONED)
            abandoned++;
        else {
            stopped++;
            if (WIFSIGNALED(status))
                printf("signal %d %d\n", WTERMSIG(status), shared->line);
            tell_report(log);
        }
    }
    for (int slot = 0; slot < SLOTS; slot++) {
        struct seen *seen = &shared->defined[slot];
        if (seen->count == 0 && !shared->undefined[slot])
            continue;
        printf("met %d", slot);
        for (int n = 0; n < seen->count; n++)
            printf(" %d", seen->masks[n]);
        printf("\n");
    }
    printf("sessions %ld %ld %ld\n", ended, stopped, abandoned);
    return 0;
}
