/* Puts the inputs in place, calls the function, tells what came of it. This runs before `main`, so that a `main` of
   the user's is a function like any other. */

typedef void entry_function(word *arguments, unsigned char *result);

extern entry_function *const __quipu_entries[];
extern void *const *const __quipu_symbols[];

extern const word __quipu_devices[];

static void *map_at(void *place, size_t size, int protection, int flags, int file)
{
#if defined(__linux__) && defined(SYS_mmap2)
    return (void *)syscall(SYS_mmap2, place, size, protection, flags, file, 0);
#elif defined(__linux__)
    return (void *)syscall(SYS_mmap, place, size, protection, flags, file, 0);
#else
    return mmap(place, size, protection, flags, file, 0);
#endif
}

static void *map(size_t size, int protection, int flags, int file)
{
    return map_at(0, size, protection, flags, file);
}

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif

/* Memory at the addresses that the program names by numbers. The run tells if something else is there. */
static void place_devices(void)
{
    for (const word *block = __quipu_devices; block[1]; block += 2) {
        void *wanted = (void *)(uintptr_t)block[0];
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
        if (map_at(wanted, (size_t)block[1], PROT_READ | PROT_WRITE, flags, -1) != wanted)
            __quipu_end(NO_DEVICE, block[0]);
    }
}

static word *section(unsigned where) { return (word *)((char *)shared + shared[where]); }

#if defined QUIPU_SANITIZED
extern void *calloc(size_t, size_t);

/* An object of zeros with bounds that the sanitizer knows. */
static unsigned char *provide(size_t size)
{
    unsigned char *object = calloc(1, size);
    if (!object)
        __quipu_end(NO_MEMORY, 0);
    return object;
}
#else
/* An object of zeros that ends where a page ends that nobody may touch. */
static unsigned char *provide(size_t size)
{
    size_t page = 4096, room = (size + page - 1) / page * page;
    char *pages = map(room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (pages == (char *)-1)
        __quipu_end(NO_MEMORY, 0);
#ifdef __linux__
    syscall(SYS_mprotect, pages + room, page, PROT_NONE);
#else
    mprotect(pages + room, page, PROT_NONE);
#endif
    return (unsigned char *)pages + room - size;
}
#endif

/* An object is given by its symbol, if it has one, and its size; its address is kept in the third word. */
static void place_objects(void)
{
    word *objects = section(OBJECTS_AT);
    for (word n = 0; n < shared[OBJECTS]; n++) {
        word *object = objects + 3 * n;
        if (object[0])
            object[2] = (word)(uintptr_t)__quipu_symbols[object[0] >> 32][object[0] & 0xffffffff];
        else
            object[2] = (word)(uintptr_t)provide((size_t)object[1]);
    }
}

#if defined __GLIBC__ && !defined QUIPU_SANITIZED
extern void __libc_free(void *), *__libc_realloc(void *, size_t);

/* The object that starts at an address, if it was provided and is not freed. */
static word *provided(void *address)
{
    word *objects = address && shared ? section(OBJECTS_AT) : 0;
    for (word n = 0; objects && n < shared[OBJECTS]; n++)
        if (!objects[3 * n] && objects[3 * n + 2] == (word)(uintptr_t)address)
            return objects + 3 * n;
    return 0;
}

/* What was provided is as if it came from the heap: it can be freed, and nobody may touch it then. */
WEAK void free(void *block)
{
    word *object = provided(block);
    if (!object) {
        __libc_free(block);
        return;
    }
    uintptr_t start = (uintptr_t)block / 4096 * 4096;
    object[2] = 0;
    if (object[1])
        syscall(SYS_mprotect, start, (uintptr_t)block + object[1] - start, PROT_NONE);
}

WEAK void *realloc(void *old, size_t size)
{
    word *object = provided(old);
    if (!object)
        return got(__libc_realloc(old, size), size);
    void *block = size ? malloc(size) : 0;
    if (block)
        memcpy(block, old, object[1] < size ? object[1] : size);
    free(old);
    return block;
}
#endif

/* What a value stands for: 0 itself, 1 a place in an object, 2 the address of a function. */
static word meaning(word kind, word value)
{
    if (kind == 1)
        return section(OBJECTS_AT)[3 * (value & 0xffffffff) + 2] + (value >> 32);
    if (kind == 2)
        return (word)(uintptr_t)__quipu_symbols[value >> 32][value & 0xffffffff];
    return value;
}

static unsigned char *place(const word *scalar)
{
    return (unsigned char *)(uintptr_t)section(OBJECTS_AT)[3 * scalar[0] + 2] + scalar[1];
}

static void write_scalars(void)
{
    word *scalar = section(WRITES_AT);
    for (word n = 0; n < shared[WRITES]; n++, scalar += 6)
        store_bits(place(scalar), (unsigned)scalar[2], (unsigned)scalar[3], meaning(scalar[4], scalar[5]));
}

static void read_scalars(unsigned field)
{
    word *scalar = section(READS_AT);
    for (word n = 0; n < shared[READS]; n++, scalar += 6) {
        /* What was freed is as it was. */
        int freed = !section(OBJECTS_AT)[3 * scalar[0] + 2];
        scalar[field] = freed ? scalar[4] : load_bits(place(scalar), (unsigned)scalar[2], (unsigned)scalar[3]);
    }
}

static void open_shared(void)
{
    word *head = map(4096, PROT_READ, MAP_SHARED, 0);
    if (head == (word *)-1 || head[MAGIC] != 0x2155504951ull)
        leave_process(125);
    word *whole = map((size_t)head[SIZE], PROT_READ | PROT_WRITE, MAP_SHARED, 0);
    if (whole == (word *)-1)
        leave_process(125);
    hits = (unsigned char *)whole + whole[HITS_AT];
    log_entries = (word *)((char *)whole + whole[LOG_AT]);
    log_capacity = whole[CAPACITY];
    shared = whole;
}

/* The user's program finds an empty standard input. */
static void hide_shared(void)
{
#ifdef SYS_dup3
    long nothing = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY, 0);
    if (nothing > 0)
        syscall(SYS_dup3, nothing, 0, 0);
#else
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing > 0)
        dup2(nothing, 0);
#endif
}

static void prepare(void)
{
    hide_shared();
    catch_signals();
    limit_resources();
    place_devices();
    place_objects();
    write_scalars();
    read_scalars(4);
    word *arguments = section(ARGS_AT);
    for (word n = 0; n < shared[ARGS]; n++)
        arguments[2 * n] = meaning(arguments[2 * n], arguments[2 * n + 1]);
    filter_calls();
    shared[STATE] = RUNNING;
}

/* In front of the user's constructors: these belong to a run that starts where the program starts, with probes. */
__attribute__((constructor(0))) static void start_early(void)
{
    open_shared();
    is_program = __quipu_starts[shared[ENTRY]];
    if (is_program)
        prepare();
    else
        is_silent = 1;
}

/* Behind the user's constructors, as the runtime is linked last. What those did that do not belong to the run is
   forgotten, as far as it is the runtime's. */
__attribute__((constructor)) static void start(void)
{
    if (!is_program) {
        is_silent = ending_count = quick_count = 0;
        memset(handlers, 0, sizeof handlers);
        prepare();
    }
    __quipu_entries[shared[ENTRY]](section(ARGS_AT), (unsigned char *)shared + shared[RESULT_AT]);
    if (is_program)
        call_endings(*(int *)((unsigned char *)shared + shared[RESULT_AT]));
    read_scalars(5);
    __quipu_end(RETURNED, 0);
}
