/* What stands around the user's code: the memory that is shared with Quipu, probes, and how a run ends.
   Linux is asked by system calls, not by the C library: the user's program may have functions of the same names. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

typedef unsigned long long word;

/* The shared memory starts with these words; `shared.rs` has the same list. */
enum {
    MAGIC, STATE, DETAIL, COUNT, USED, TIME, SPACE, ENTRY, OBJECTS, WRITES, ARGS, VALUES, READS,
    OBJECTS_AT, WRITES_AT, ARGS_AT, VALUES_AT, READS_AT, RESULT_AT, HITS_AT, LOG_AT, CAPACITY, SIZE,
    FAILING
};

enum state {
    STARTING, RUNNING, RETURNED, ASSERTION, ASSUMPTION, SIGNAL, BLOCKED, TIMEOUT, NO_MEMORY, STACK, NO_RUN, NO_DEVICE
};

static word *shared;
static unsigned char *hits;
static word *log_entries;
static word log_capacity;

static void leave_process(int status)
{
#ifdef __linux__
    syscall(SYS_exit_group, status);
#endif
    _exit(status);
}

/* Ends the run at once. */
void __quipu_end(unsigned state, word detail)
{
    if (shared) {
        shared[DETAIL] = detail;
        shared[STATE] = state;
    }
    leave_process(0);
}

/* Probes. Behind the end of the log only the hits are kept. */

/* Constructors that do not belong to the run leave no trace. */
static int is_silent;

static void note(word entry)
{
    if (shared[COUNT] < log_capacity)
        log_entries[shared[COUNT]] = entry;
    shared[COUNT]++;
}

static void probe(unsigned id, unsigned value)
{
    if (!shared || is_silent)
        return;
    hits[id] |= 1u << value;
    note((word)id << 2 | value);
}

void __quipu_s(unsigned id)
{
    probe(id, 0);
}

int __quipu_c(unsigned id, int value)
{
    probe(id, value);
    return value;
}

void __quipu_w(unsigned id, word value)
{
    if (!shared || is_silent)
        return;
    probe(id, 0);
    note(value);
}

unsigned __quipu_enter(unsigned id)
{
    probe(id, 0);
    return id;
}

void __quipu_leave(unsigned *id)
{
    probe(*id, 1);
}

/* What the environment answers: the next value of the sequence, or something else behind its end. */

static word next_or(unsigned bits, word otherwise)
{
    word n = shared && !is_silent ? shared[USED]++ : 0;
    int is_there = shared && !is_silent && n < shared[VALUES];
    word value = is_there ? ((word *)((char *)shared + shared[VALUES_AT]))[n] : otherwise;
    return bits < 64 ? value & (((word)1 << bits) - 1) : value;
}

word __quipu_next(unsigned bits) { return next_or(bits, 0); }

static word load_bits(const unsigned char *at, unsigned bit, unsigned width)
{
    word value = 0;
    for (unsigned n = 0; n < width; n++)
        value |= (word)(at[(bit + n) / 8] >> (bit + n) % 8 & 1) << n;
    return value;
}

static void store_bits(unsigned char *at, unsigned bit, unsigned width, word value)
{
    for (unsigned n = 0; n < width; n++) {
        unsigned char mask = 1u << (bit + n) % 8;
        at[(bit + n) / 8] = (at[(bit + n) / 8] & ~mask) | ((value >> n & 1) ? mask : 0);
    }
}

/* Puts the next value into an object. */
void __quipu_fill(void *object, word offset, unsigned bit, unsigned width, unsigned room)
{
    store_bits((unsigned char *)object + offset, bit, room, __quipu_next(width));
}

/* A bit-field that is read as volatile. */
word __quipu_b(unsigned width, int is_signed)
{
    word value = __quipu_next(width);
    if (is_signed && width < 64 && value >> (width - 1) & 1)
        value |= ~(word)0 << width;
    return value;
}

/* An object that is read as volatile: a copy of it, or itself, with the next values in its parts, each of which is told
   by offset, first bit, width, and the bits that it fills. Copies are used at once, but several of them may be made
   before that. */
void *__quipu_v(void *place, unsigned long size, unsigned count, const unsigned *parts, int in_place)
{
    static unsigned char room[1 << 18] __attribute__((aligned(64)));
    static unsigned long used;
    unsigned char *copy = place;
    if (!shared)
        return place;
    if (!in_place && size <= sizeof room / 4) {
        if (used + size > sizeof room)
            used = 0;
        copy = room + used;
        used += (size + 63) / 64 * 64;
        memcpy(copy, place, size);
    }
    for (; count--; parts += 4)
        store_bits(copy + parts[0], parts[1], parts[3], __quipu_next(parts[2]));
    return copy;
}
