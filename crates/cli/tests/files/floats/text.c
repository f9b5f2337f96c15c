#include <errno.h>
#include <stdlib.h>

/* A price in a string. */
int price(const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (end == text)
        return -1;
    if (*end != '\0')
        return -2;
    if (value == 2.5)
        return 1;
    if (value < 3 && value > 4)
        return 2;
    return 0;
}

/* Only an exponent makes a number as large as this. */
int large(const char *text) {
    if (strtof(text, 0) > 1e30f)
        return 1;
    return 0;
}
