/*
 * The same bytes seen in several ways: unions, bytes of objects, bit-fields, copies between types.
 * For little-endian machines with 4-byte `int` and IEEE floats.
 *
 * Out of reach:
 *   bytes_of         `sum of bytes > 1020`.
 *   word_halves      `w.half[0] != (uint16_t)word` (little-endian).
 *   swap_bytes       `swap(swap(x)) != x`.
 *   is_little_endian the result 0.
 *   unpack_color     `alpha > 255`, and a highest byte other than 0 behind clearing it.
 *   float_class      `exponent > 255`.
 *   tagged_get       `flag > 255`. `v->kind > KIND_TEXT` can be true: any number can be in an enum; it cannot be false.
 */
#include <stdint.h>
#include <string.h>

union word {
    uint32_t whole;
    uint16_t half[2];
    uint8_t byte[4];
};

int bytes_of(const unsigned *value)
{
    const unsigned char *bytes = (const unsigned char *)value;
    int sum = 0;
    for (unsigned i = 0; i < sizeof *value; i++)
        sum += bytes[i];
    if (sum > 1020)
        return -1;
    if (sum == 1020)
        return 1;                                            /* all bits set */
    return 0;
}

int word_halves(uint32_t word)
{
    union word w;
    w.whole = word;
    if (w.half[0] != (uint16_t)word)
        return -1;
    w.byte[3] = 0;
    if (w.whole == 0xabcdef)
        return w.half[1] == 0xab ? 1 : -2;                   /* always 0xab */
    return w.whole > 0xffffff;                               /* never */
}

static uint32_t swap(uint32_t x)
{
    union word in, out;
    in.whole = x;
    for (int i = 0; i < 4; i++)
        out.byte[i] = in.byte[3 - i];
    return out.whole;
}

int swap_bytes(uint32_t x)
{
    uint32_t swapped = swap(x);
    if (swap(swapped) != x)                                  /* out of reach */
        return -1;
    if (swapped == 0x12345678)
        return x == 0x78563412 ? 2 : -2;
    return swapped == x;                                     /* palindromes */
}

int is_little_endian(void)
{
    uint32_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    if (first == 1)
        return 1;
    return 0;
}

union color {
    uint32_t rgba;
    struct {
        unsigned red : 8, green : 8, blue : 8, alpha : 8;
    } part;
};

int unpack_color(uint32_t rgba)
{
    union color c;
    unsigned alpha;
    c.rgba = rgba;
    alpha = c.part.alpha;
    if (alpha > 255)                                         /* out of reach */
        return -1;
    if (c.part.red == c.part.green && c.part.green == c.part.blue)
        return alpha == 255 ? 2 : 1;
    c.part.alpha = 0;
    if (c.rgba >> 24 != 0)                                   /* out of reach */
        return -2;
    return 0;
}

/* Takes the bits of a float apart: 0 zero, 1 normal, 2 subnormal, 3 infinite, 4 not a number. */
int float_class(uint32_t bits)
{
    uint32_t exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    if (exponent > 255)
        return -1;
    if (exponent == 255)
        return fraction != 0 ? 4 : 3;
    if (exponent == 0)
        return fraction != 0 ? 2 : 0;
    return 1;
}

enum kind { KIND_NUMBER, KIND_FLAG, KIND_TEXT };

struct tagged {
    enum kind kind;
    union {
        long number;
        unsigned char flag;
        const char *text;
    } as;
};

int tagged_get(const struct tagged *v)
{
    int flag;
    switch (v->kind) {
    case KIND_NUMBER:
        return v->as.number > 0;
    case KIND_FLAG:
        flag = v->as.flag;
        if (flag > 255)                                      /* out of reach */
            return -2;
        return flag;
    case KIND_TEXT:
        return v->as.text != NULL ? v->as.text[0] : -1;
    }
    if (v->kind > KIND_TEXT)
        return -3;
    return -4;                                               /* out of reach: an unsigned enum */
}

struct header {
    uint8_t type;
    uint32_t length;
};

/* Reads a header from bytes that need not be aligned. */
int header_read(const uint8_t *bytes, struct header *header)
{
    struct header h;
    memset(&h, 0, sizeof h);
    h.type = bytes[0];
    memcpy(&h.length, bytes + 1, sizeof h.length);
    if (h.length > 1000)
        return -1;
    if (h.length != (uint32_t)(bytes[1] | bytes[2] << 8))    /* out of reach for at most 1000 */
        return -2;
    *header = h;
    return memcmp(header, &h, sizeof h) == 0 ? 0 : -3;       /* padding bytes may differ in theory */
}
