/*
 * Messages with length fields: a header of four bytes, then records of type, length and value.
 *
 * Out of reach:
 *   read_u16         nothing.
 *   parse_message    `at > end` in the loop: a record that is too long is sent back before.
 *   parse_message    `message->count > MAX_RECORDS` behind the loop.
 *   find_record      nothing.
 *   build_message    `parse_message(...) < 0`: what was built is well formed.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MAGIC 0x4d51
#define MAX_RECORDS 4

struct record {
    uint8_t type;
    uint8_t length;
    const uint8_t *value;
};

struct message {
    uint8_t version;
    uint8_t count;
    struct record records[MAX_RECORDS];
};

static uint16_t read_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

/* The number of records, or a negative error. */
int parse_message(const uint8_t *bytes, size_t length, struct message *message)
{
    const uint8_t *at, *end;
    if (length < 5)
        return -1;
    if (read_u16(bytes) != MAGIC)
        return -2;
    message->version = bytes[2] >> 4;
    if (message->version == 0 || message->version > 3)
        return -3;
    if (read_u16(bytes + 3) != length)
        return -4;
    message->count = 0;
    at = bytes + 5;
    end = bytes + length;
    while (at < end) {
        struct record *record;
        if (end - at < 2 || at[1] > end - at - 2)
            return -5;
        if (message->count == MAX_RECORDS)
            return -6;
        record = &message->records[message->count++];
        record->type = at[0];
        record->length = at[1];
        record->value = record->length > 0 ? at + 2 : NULL;
        at += 2 + record->length;
        if (at > end)
            return -9;
    }
    if (message->count > MAX_RECORDS)
        return -9;
    return message->count;
}

const struct record *find_record(const struct message *message, uint8_t type)
{
    for (uint8_t i = 0; i < message->count && i < MAX_RECORDS; i++)
        if (message->records[i].type == type)
            return &message->records[i];
    return NULL;
}

/* The sum of all bytes must be 0 modulo 256. */
int checksum_fits(const uint8_t *bytes, size_t length)
{
    uint8_t sum = 0;
    while (length-- > 0)
        sum = (uint8_t)(sum + *bytes++);
    return sum == 0;
}

/* Builds a message with one record and reads it again. */
int build_message(uint8_t type, const uint8_t *value, uint8_t length)
{
    uint8_t buffer[16];
    struct message message;
    int count;
    if (length > sizeof buffer - 7)
        return -1;
    buffer[0] = MAGIC >> 8;
    buffer[1] = MAGIC & 0xff;
    buffer[2] = 0x10;
    buffer[3] = 0;
    buffer[4] = (uint8_t)(7 + length);
    buffer[5] = type;
    buffer[6] = length;
    memcpy(buffer + 7, value, length);
    count = parse_message(buffer, 7u + length, &message);
    if (count < 0)
        return -2;
    return find_record(&message, type) != NULL;
}

/* Reads a string with a length in front into a buffer. */
int read_string(const uint8_t **at, const uint8_t *end, char *out, size_t size)
{
    size_t length;
    if (end - *at < 1)
        return -1;
    length = *(*at)++;
    if (length > (size_t)(end - *at) || length >= size)
        return -1;
    memcpy(out, *at, length);
    out[length] = '\0';
    *at += length;
    return (int)length;
}
