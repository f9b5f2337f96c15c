/* Library functions whose results are inputs, with the abstract meaning that the interpreter gives them. All are
   weak: a function of the user's program wins. A number that `scanf` reads is one value of the sequence. */

#define WEAK __attribute__((weak))

static unsigned char pushed_back[4096];
static unsigned pushed;
static int at_end;

static int next_byte(void)
{
    if (pushed)
        return pushed_back[--pushed];
    if (at_end)
        return -1;
    int value = (int)next_or(32, (word)-1);
    at_end = value < 0;
    return value < 0 ? -1 : (unsigned char)value;
}

static void give_back(int byte)
{
    if (pushed < sizeof pushed_back)
        pushed_back[pushed++] = (unsigned char)byte;
    at_end = 0;
}

WEAK int getchar(void) { return next_byte(); }
WEAK int getchar_unlocked(void) { return next_byte(); }
WEAK int getc(void *stream) { return next_byte(); }
WEAK int _IO_getc(void *stream) { return next_byte(); }
WEAK int fgetc(void *stream) { return next_byte(); }
WEAK int getc_unlocked(void *stream) { return next_byte(); }
WEAK int feof(void *stream) { return at_end; }
WEAK void clearerr(void *stream) { at_end = 0; }

WEAK int ungetc(int byte, void *stream)
{
    if (byte < 0)
        return -1;
    give_back(byte);
    return (unsigned char)byte;
}

static size_t read_line(char *buffer, size_t limit, int *newline)
{
    *newline = 0;
    for (size_t length = 0; length < limit; length++) {
        int byte = next_byte();
        if (byte < 0)
            return length;
        buffer[length] = (char)byte;
        if (byte == '\n') {
            *newline = 1;
            return length + 1;
        }
    }
    return limit;
}

WEAK char *fgets(char *buffer, int size, void *stream)
{
    int newline;
    if (size < 1)
        return 0;
    size_t length = read_line(buffer, (size_t)size - 1, &newline);
    if (length == 0 && size > 1)
        return 0;
    buffer[length] = 0;
    return buffer;
}

WEAK char *gets(char *buffer)
{
    int newline;
    size_t length = read_line(buffer, (size_t)-1, &newline);
    if (length == 0)
        return 0;
    buffer[length - (size_t)newline] = 0;
    return buffer;
}

static size_t read_block(char *buffer, size_t size)
{
    for (size_t done = 0; done < size; done++) {
        int byte = next_byte();
        if (byte < 0)
            return done;
        buffer[done] = (char)byte;
    }
    return size;
}

WEAK size_t fread(void *buffer, size_t size, size_t count, void *stream)
{
    size_t done = read_block(buffer, size * count);
    return size ? done / size : 0;
}

WEAK ssize_t read(int file, void *buffer, size_t size) { return (ssize_t)read_block(buffer, size); }

/* scanf */

static int is_space(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static void skip_space(void)
{
    while (pushed && is_space(pushed_back[pushed - 1]))
        pushed--;
}

/* Takes a byte of a set: the byte, -1 at the end, -2 for another byte. A zero byte ends the input. */
static int take(const unsigned char *set)
{
    int byte = next_byte();
    if (byte <= 0)
        return -1;
    if (set[byte])
        return byte;
    give_back(byte);
    return -2;
}

/* Reads the set of a `%[` behind the bracket; the position behind it. */
static const char *read_set(const char *at, unsigned char *set)
{
    int negated = *at == '^', first = 1;
    at += negated;
    memset(set, negated, 256);
    for (; *at && (first || *at != ']'); first = 0) {
        unsigned char low = (unsigned char)*at++, high = low;
        if (*at == '-' && at[1] && at[1] != ']') {
            high = (unsigned char)at[1];
            at += 2;
            set[low] = !negated;
        }
        for (unsigned byte = low; byte <= high; byte++)
            set[byte] = !negated;
    }
    return *at ? at + 1 : at;
}

/* A run of bytes of a set: 1 if done, 0 for another byte, -1 at the end. */
static int scan_text(char *to, const unsigned char *set, size_t width, int exact)
{
    size_t length = 0;
    while (length < width) {
        int byte = take(set);
        if (byte < 0 && exact)
            return -1;
        if (byte < 0 && length == 0)
            return byte == -1 ? -1 : 0;
        if (byte < 0)
            break;
        if (to)
            to[length] = (char)byte;
        length++;
    }
    if (to && !exact)
        to[length] = 0;
    return 1;
}

struct conversion { int suppressed; size_t width; int size; char kind; unsigned char set[256]; };

static const char *read_conversion(const char *at, struct conversion *c)
{
    c->suppressed = *at == '*';
    at += c->suppressed;
    c->width = 0;
    while (*at >= '0' && *at <= '9')
        c->width = c->width * 10 + (size_t)(*at++ - '0');
    c->size = sizeof(int);
    if (*at == 'h') {
        c->size = at[1] == 'h' ? 1 : 2;
        at += at[1] == 'h' ? 2 : 1;
    } else if (*at == 'l') {
        c->size = at[1] == 'l' ? 8 : sizeof(long);
        at += at[1] == 'l' ? 2 : 1;
    } else if (*at == 'j' || *at == 'q' || *at == 'L') {
        c->size = 8, at++;
    } else if (*at == 'z' || *at == 't') {
        c->size = sizeof(size_t), at++;
    }
    c->kind = *at ? *at++ : 0;
    if (c->kind == '[')
        return read_set(at, c->set);
    memset(c->set, 1, sizeof c->set);
    for (int byte = 0; c->kind == 's' && byte < 256; byte++)
        c->set[byte] = !is_space(byte);
    return at;
}

/* A number: 1 if done, 0 for something else, -1 at the end. A plain `%f` is a float, any longer one a double. */
static int scan_number(const struct conversion *c, int is_long, va_list *args)
{
    skip_space();
    /* What comes: 0 for a number, 1 for the end of the input. */
    int ahead = at_end ? 1 : (int)next_or(8, 1);
    at_end = ahead == 1;
    if (ahead != 0)
        return ahead == 1 ? -1 : 0;
    int real = strchr("fFeEgGaA", c->kind) != 0;
    int size = real ? (is_long ? 8 : 4) : c->size;
    word value = __quipu_next((unsigned)size * 8);
    if (!c->suppressed)
        memcpy(va_arg(*args, void *), &value, (size_t)size);
    return 1;
}

static int scan_conversion(const struct conversion *c, int is_long, va_list *args)
{
    if (c->kind && strchr("diuoxXfFeEgGaA", c->kind))
        return scan_number(c, is_long, args);
    if (c->kind == 's')
        skip_space();
    char *to = c->suppressed ? 0 : va_arg(*args, char *);
    if (c->kind == 'c')
        return scan_text(to, c->set, c->width ? c->width : 1, 1);
    return scan_text(to, c->set, c->width ? c->width : (size_t)-1, 0);
}

static int scan(const char *format, va_list *args)
{
    int stored = 0, converted = 0;
    while (*format) {
        int byte = (unsigned char)*format++;
        if (is_space(byte)) {
            skip_space();
            continue;
        }
        if (byte != '%')
            continue;
        if (*format == '%') {
            format++;
            converted = 1;
            continue;
        }
        struct conversion c;
        const char *start = format;
        format = read_conversion(format, &c);
        int is_long = format - start > 1 && (format[-2] == 'l' || format[-2] == 'L');
        int done = scan_conversion(&c, is_long, args);
        if (done < 0)
            return stored == 0 && !converted ? -1 : stored;
        if (done == 0)
            return stored;
        stored += !c.suppressed;
        converted = 1;
    }
    return stored;
}

#define SCANNERS(prefix)                                                        \
    WEAK int prefix##vscanf(const char *format, va_list list)                   \
    {                                                                           \
        va_list args;                                                           \
        va_copy(args, list);                                                    \
        int stored = scan(format, &args);                                       \
        va_end(args);                                                           \
        return stored;                                                          \
    }                                                                           \
    WEAK int prefix##vfscanf(void *stream, const char *format, va_list list)    \
    {                                                                           \
        return prefix##vscanf(format, list);                                    \
    }                                                                           \
    WEAK int prefix##scanf(const char *format, ...)                             \
    {                                                                           \
        va_list args;                                                           \
        va_start(args, format);                                                 \
        int stored = scan(format, &args);                                       \
        va_end(args);                                                           \
        return stored;                                                          \
    }                                                                           \
    WEAK int prefix##fscanf(void *stream, const char *format, ...)              \
    {                                                                           \
        va_list args;                                                           \
        va_start(args, format);                                                 \
        int stored = scan(format, &args);                                       \
        va_end(args);                                                           \
        return stored;                                                          \
    }

SCANNERS()
SCANNERS(__isoc99_)
SCANNERS(__isoc23_)

/* Clocks, random numbers, the environment. */

static long next_long(void) { return (long)__quipu_next(8 * sizeof(long)); }
static int next_random(void) { return (int)(__quipu_next(32) & 0x7fffffff); }

static void two_longs(void *place)
{
    ((long *)place)[0] = next_long();
    ((long *)place)[1] = next_long();
}

WEAK time_t time(time_t *place)
{
    long now = next_long();
    if (place)
        *place = now;
    return now;
}

WEAK clock_t clock(void) { return next_long(); }
WEAK int gettimeofday(struct timeval *place, void *zone) { two_longs(place); return 0; }
WEAK int clock_gettime(clockid_t clock, struct timespec *place) { two_longs(place); return 0; }
WEAK int timespec_get(struct timespec *place, int base) { two_longs(place); return base; }
WEAK unsigned sleep(unsigned seconds) { return 0; }
WEAK int usleep(useconds_t time) { return 0; }
WEAK int nanosleep(const struct timespec *time, struct timespec *rest) { return 0; }
WEAK int rand(void) { return next_random(); }
WEAK long random(void) { return next_random(); }
WEAK int rand_r(unsigned *seed) { return next_random(); }
WEAK void srand(unsigned seed) { }
WEAK void srandom(unsigned seed) { }
WEAK char *getenv(const char *name) { return 0; }
WEAK char *secure_getenv(const char *name) { return 0; }

/* Assertions and assumptions. */

WEAK void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    __quipu_end(ASSERTION, 0);
}
WEAK void __assert(const char *text, const char *file, int line) { __quipu_end(ASSERTION, 0); }
WEAK void __assert_perror_fail(int number, const char *file, unsigned line, const char *function)
{
    __quipu_end(ASSERTION, 0);
}
WEAK void __VERIFIER_assert(int holds) { if (!holds) __quipu_end(ASSERTION, 0); }
WEAK void quipu_claim(int number, int holds) { if (!holds) __quipu_end(ASSERTION, 1 + (unsigned)number); }
WEAK void __VERIFIER_error(void) { __quipu_end(ASSERTION, 0); }
WEAK void reach_error(void) { __quipu_end(ASSERTION, 0); }
WEAK void __VERIFIER_assume(int holds) { if (!holds) __quipu_end(ASSUMPTION, 0); }
WEAK void assume(int holds) { if (!holds) __quipu_end(ASSUMPTION, 0); }

/* A heap that is used up ends the run: what the program would make of that is no matter of the function. */

#if defined __GLIBC__ && !defined QUIPU_SANITIZED
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);

static void *got(void *block, size_t size)
{
    if (!block && size && size <= PTRDIFF_MAX)
        __quipu_end(NO_MEMORY, 0);
    return block;
}

WEAK void *malloc(size_t size) { return got(__libc_malloc(size), size); }
WEAK void *calloc(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        total = 0;
    return got(__libc_calloc(count, size), total);
}
#endif
