/*
 * Numbers from text: sign, base, overflow; and back.
 *
 * Out of reach:
 *   digit_value      nothing.
 *   parse_number     `value > INT_MAX` at the end for a positive number: larger ones were sent back as overflow.
 *   parse_number     `digit < 0` inside the loop: the condition of the loop excludes it.
 *   parse_percent    `value > 100` behind the check of the range.
 *   format_number    `position < 0`: at most ten digits and a sign are written.
 */
#include <limits.h>
#include <stddef.h>

enum parse_result { PARSE_OK, PARSE_EMPTY, PARSE_INVALID, PARSE_OVERFLOW, PARSE_IMPOSSIBLE };

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return -1;
}

/* Parses a number in C's notation, up to the end of the text. */
enum parse_result parse_number(const char *text, int *result)
{
    int negative = 0, base = 10, digits = 0, digit;
    unsigned value = 0;
    unsigned limit;
    while (*text == ' ' || *text == '\t')
        text++;
    if (*text == '+' || *text == '-')
        negative = *text++ == '-';
    limit = negative ? (unsigned)INT_MAX + 1u : (unsigned)INT_MAX;
    if (*text == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    } else if (*text == '0' && text[1] != '\0') {
        base = 8;
        text++;
    }
    while ((digit = digit_value(*text)) >= 0 && digit < base) {
        if (digit < 0)
            return PARSE_IMPOSSIBLE;
        if (value > (limit - (unsigned)digit) / (unsigned)base)
            return PARSE_OVERFLOW;
        value = value * (unsigned)base + (unsigned)digit;
        digits++;
        text++;
    }
    if (digits == 0)
        return PARSE_EMPTY;
    if (*text != '\0')
        return PARSE_INVALID;
    if (!negative && value > (unsigned)INT_MAX)
        return PARSE_IMPOSSIBLE;
    *result = negative ? (int)(0u - value) : (int)value;
    return PARSE_OK;
}

/* A percentage with a sign behind it: "85%". */
int parse_percent(const char *text, size_t length)
{
    int value = 0;
    size_t i;
    if (length < 2 || length > 4 || text[length - 1] != '%')
        return -1;
    for (i = 0; i + 1 < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    if (value < 0 || value > 100)
        return -2;
    if (value > 100)
        return -3;
    return value;
}

/* Writes a number into a buffer of `size` characters; the result is its length, or 0 without room. */
size_t format_number(int number, char *buffer, size_t size)
{
    char digits[12];
    int position = (int)sizeof digits;
    size_t length, i;
    unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    do {
        digits[--position] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0)
        digits[--position] = '-';
    if (position < 0)
        return 0;
    length = sizeof digits - (size_t)position;
    if (length + 1 > size)
        return 0;
    for (i = 0; i < length; i++)
        buffer[i] = digits[position + (int)i];
    buffer[length] = '\0';
    return length;
}
