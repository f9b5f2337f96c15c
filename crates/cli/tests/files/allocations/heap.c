#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Each of three allocations may fail; what was made before is freed. */
int three(int n)
{
    char *first = malloc(4), *second;
    if (!first)
        return 1;
    second = strdup("hello");
    if (!second) {
        free(first);
        return errno == ENOMEM ? 2 : 9; /* never 9 */
    }
    int *third = calloc(2, sizeof *third);
    if (!third) {
        free(first);
        free(second);
        return 3;
    }
    first[0] = (char)n;
    int result = first[0] == second[0] ? 4 : 5;
    free(first);
    free(second);
    free(third);
    return result;
}

/* A block that cannot grow stays as it is. */
int grown(int n)
{
    int *block = malloc(sizeof *block), *more;
    if (!block)
        return -1;
    *block = n;
    more = realloc(block, 2 * sizeof *more);
    int result = more ? *more : *block;
    free(more ? more : block);
    if (result != n)
        return -2; /* never */
    return more ? 1 : 0;
}

static void *(*allocate)(size_t) = malloc;

/* By the address of the function. */
int by_hook(void)
{
    char *block = allocate(3);
    if (!block)
        return 1;
    free(block);
    return 0;
}

struct hooks { void *(*make)(size_t); };

/* By a pointer among the inputs. */
int by_pointer(const struct hooks *hooks)
{
    if (!hooks || hooks->make != malloc)
        return 2;
    char *block = hooks->make(3);
    if (!block)
        return 1;
    free(block);
    return 0;
}

/* Nobody looks whether there is memory. */
int unchecked(int n)
{
    int *block = malloc(sizeof *block);
    *block = n;
    int result = *block;
    free(block);
    return result;
}
