/*
 * Strings: own versions of library functions, and uses of the library's.
 *
 * Out of reach:
 *   my_strlen        nothing.
 *   my_strncpy       `i > size` behind the loops.
 *   trim             `length > strlen(text)` at the end: trimming does not make a text longer.
 *   starts_with      `result && text[0] != prefix[0]` for a prefix that is not empty.
 *   compare_both     the two comparisons have different signs.
 *   extension        `strchr(dot, '.') == NULL`: `dot` points to a dot.
 *   join             `strlen(out) != needed` at the end.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t my_strlen(const char *text)
{
    const char *end = text;
    while (*end != '\0')
        end++;
    return (size_t)(end - text);
}

char *my_strncpy(char *to, const char *from, size_t size)
{
    size_t i;
    for (i = 0; i < size && from[i] != '\0'; i++)
        to[i] = from[i];
    for (; i < size; i++)
        to[i] = '\0';
    if (i > size)
        return NULL;
    return to;
}

int my_strcmp(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int compare_both(const char *a, const char *b)
{
    int own = my_strcmp(a, b), library = strcmp(a, b);
    if ((own < 0) != (library < 0) || (own > 0) != (library > 0))
        return -1;
    return own == 0;
}

/* Removes blanks at both ends, in place. */
char *trim(char *text)
{
    size_t before = strlen(text), length;
    char *end;
    while (isspace((unsigned char)*text))
        text++;
    if (*text == '\0')
        return text;
    end = text + strlen(text) - 1;
    while (end > text && isspace((unsigned char)*end))
        end--;
    end[1] = '\0';
    length = strlen(text);
    if (length > before)
        return NULL;
    return text;
}

int starts_with(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    int result = strncmp(text, prefix, length) == 0;
    if (result && length > 0 && text[0] != prefix[0])
        return -1;
    return result;
}

/* The extension of a file name, or an empty text. */
const char *extension(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (dot == NULL || dot == name)
        return "";
    if (strchr(dot, '.') == NULL)
        return NULL;
    return dot + 1;
}

/* Joins two texts with a separator into allocated memory. */
char *join(const char *a, const char *b, char separator)
{
    size_t needed = strlen(a) + 1 + strlen(b);
    char *out = malloc(needed + 1);
    if (out == NULL)
        return NULL;
    strcpy(out, a);
    out[strlen(a)] = separator;
    strcpy(out + strlen(a) + 1, b);
    if (separator != '\0' && strlen(out) != needed) {
        free(out);
        return NULL;
    }
    return out;
}

int is_palindrome(const char *text)
{
    size_t left = 0, right = strlen(text);
    while (left + 1 < right) {
        if (tolower((unsigned char)text[left]) != tolower((unsigned char)text[right - 1]))
            return 0;
        left++;
        right--;
    }
    return 1;
}

/* Whether a command line option has the value "on". */
int option_is_on(const char *argument)
{
    const char *value = strchr(argument, '=');
    if (strncmp(argument, "--", 2) != 0 || value == NULL)
        return -1;
    if (value == argument || value == argument + 1)          /* out of reach: two dashes come first */
        return -2;
    return strcmp(value + 1, "on") == 0;
}

int describe(char *out, size_t size, int code)
{
    int length = snprintf(out, size, "code %d", code);
    if (length < 0)
        return -1;
    if ((size_t)length >= size)
        return -2;
    return strstr(out, "42") != NULL;
}
