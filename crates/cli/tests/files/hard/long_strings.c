/* Long strings that are joined, searched and read. */
#include <stdlib.h>
#include <string.h>

int f(const char *a, const char *b)
{
    char buf[4096];
    size_t n = strlen(a), m = strlen(b);
    if (n + m >= sizeof buf)
        return -1;
    strcpy(buf, a);
    strcat(buf, b);
    char *at = strstr(buf, "needle");
    if (!at)
        return 0;
    if (strtol(at + 6, 0, 10) == 123456789 && n > 300)
        return 1;
    for (char *p = buf, *q = buf + n + m - 1; p < q; p++, q--)
        if (*p != *q)
            return 2;
    return 3;
}
