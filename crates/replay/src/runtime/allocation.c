
/* Allocations, which the user's code calls by these names: the first ones of a run fail where the inputs say so. What
   the C library allocates for itself never does. */

static int refused(void)
{
    static word asked;
    if (!shared || asked >= shared[FAILING])
        return 0;
    asked++;
    if (!__quipu_next(1))
        return 0;
    errno = ENOMEM;
    return 1;
}

/* Whether a size is one that a block can have; others fail without being asked for. */
static int is_size(size_t size) { return size <= PTRDIFF_MAX; }

static int is_power_of_two(size_t number) { return number && !(number & (number - 1)); }

void *__quipu_malloc(size_t size) { return is_size(size) && refused() ? 0 : malloc(size); }

void *__quipu_calloc(size_t count, size_t size)
{
    size_t total;
    int fits = !__builtin_mul_overflow(count, size, &total) && is_size(total);
    return fits && refused() ? 0 : calloc(count, size);
}

void *__quipu_realloc(void *old, size_t size)
{
    int is_free = old && !size;
    return !is_free && is_size(size) && refused() ? 0 : realloc(old, size);
}

void *__quipu_reallocarray(void *old, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return 0;
    }
    return __quipu_realloc(old, total);
}

void *__quipu_aligned_alloc(size_t align, size_t size)
{
    return is_power_of_two(align) && is_size(size) && refused() ? 0 : aligned_alloc(align, size);
}

void *__quipu_memalign(size_t align, size_t size) { return __quipu_aligned_alloc(align, size); }

int __quipu_posix_memalign(void **place, size_t align, size_t size)
{
    int fits = is_power_of_two(align) && align % sizeof(void *) == 0 && is_size(size);
    return fits && refused() ? ENOMEM : posix_memalign(place, align, size);
}

/* The text is read before there is a block for it. */
static char *duplicate(const char *text, size_t length)
{
    if (refused())
        return 0;
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

char *__quipu_strdup(const char *text) { return duplicate(text, strlen(text)); }
char *__quipu_strndup(const char *text, size_t most) { return duplicate(text, strnlen(text, most)); }
