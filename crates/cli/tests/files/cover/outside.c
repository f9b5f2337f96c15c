/* What belongs to the library, to other files, or to earlier calls. */
#include <stdio.h>
#include <stdlib.h>

extern const int version;
int device(int *register_file);

int report(int level)
{
    if (!stderr)
        return -1; /* dead: the streams are open */
    if (level > 7)
        fprintf(stderr, "level %d\n", level);
    return version > 3; /* nobody knows it here */
}

int second_call(void)
{
    static int calls;
    calls++;
    if (calls > 1)
        return 1;
    return 0;
}

int allocated(int n)
{
    int *cell = malloc(sizeof *cell);
    if (!cell)
        return -1;
    *cell = n;
    if (device(cell) == 3 && *cell != n)
        return -2;
    free(cell);
    return 0;
}

int to_stream(FILE *out)
{
    if (out)
        fputs("x", out);
    return 0;
}

int closes(FILE *out)
{
    if (fclose(out))
        return 1;
    return 0;
}

int limit = 100; /* another file may change it */

int above(void)
{
    if (limit > 200)
        return 1;
    return 0;
}
