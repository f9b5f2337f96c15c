/*
 * Base64, both ways, with padding.
 *
 * Out of reach:
 *   base64_encode    `written != needed - 1` at the end: four characters for every three bytes begun.
 *   base64_value     nothing.
 *   base64_decode    `padding > 2`: a third padding character is sent back before.
 *   base64_decode    `bits > 24` in the loop.
 *   round_trip       everything but success.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Encodes bytes as text; the result is the length of the text, or -1 without room. */
int base64_encode(const uint8_t *in, size_t length, char *out, size_t size)
{
    size_t needed = (length + 2) / 3 * 4 + 1;
    size_t written = 0, i;
    if (length > 3000 || size < needed)
        return -1;
    for (i = 0; i < length; i += 3) {
        size_t left = length - i;
        uint32_t group = (uint32_t)in[i] << 16;
        if (left > 1)
            group |= (uint32_t)in[i + 1] << 8;
        if (left > 2)
            group |= in[i + 2];
        out[written++] = alphabet[group >> 18];
        out[written++] = alphabet[(group >> 12) & 63];
        out[written++] = left > 1 ? alphabet[(group >> 6) & 63] : '=';
        out[written++] = left > 2 ? alphabet[group & 63] : '=';
    }
    out[written] = '\0';
    if (written != needed - 1)
        return -2;
    return (int)written;
}

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    if (c == '/')
        return 63;
    return -1;
}

/* Decodes text; the result is the number of bytes, or negative. */
int base64_decode(const char *text, uint8_t *out, size_t size)
{
    uint32_t group = 0;
    int bits = 0, padding = 0;
    size_t written = 0;
    for (; *text != '\0'; text++) {
        int value;
        if (*text == '=') {
            if (++padding > 2)
                return -1;
            continue;
        }
        if (padding > 0)
            return -2;
        value = base64_value(*text);
        if (value < 0)
            return -3;
        group = group << 6 | (uint32_t)value;
        bits += 6;
        if (bits > 24)
            return -9;
        if (bits >= 8) {
            bits -= 8;
            if (written >= size)
                return -4;
            out[written++] = (uint8_t)(group >> bits);
        }
    }
    if (padding > 2)
        return -9;
    if ((bits == 4 && padding != 2) || (bits == 2 && padding != 1) || bits == 6)
        return -5;
    return (int)written;
}

/* Three bytes there and back. */
int round_trip(uint8_t a, uint8_t b, uint8_t c)
{
    uint8_t in[3], back[3];
    char text[8];
    in[0] = a;
    in[1] = b;
    in[2] = c;
    if (base64_encode(in, sizeof in, text, sizeof text) != 4)
        return -1;
    if (base64_decode(text, back, sizeof back) != 3)
        return -2;
    if (memcmp(in, back, sizeof in) != 0)
        return -3;
    return 0;
}
