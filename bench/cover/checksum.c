/* Checksums of short messages. */

int luhn(const int digits[8])
{
    int sum = 0;

    for (int i = 0; i < 8; i++) {
        int digit = digits[i];
        if (digit < 0 || digit > 9)
            return -1;
        if (i % 2 == 0) {
            digit *= 2;
            if (digit > 9)
                digit -= 9;
        }
        if (digit > 9)
            return -2; /* dead */
        sum += digit;
    }
    if (sum == 72)
        return 2;
    return sum % 10 == 0;
}

unsigned crc8(const unsigned char data[4])
{
    unsigned crc = 0;

    for (int i = 0; i < 4; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            if (crc & 0x80)
                crc = (crc << 1 ^ 0x07) & 0xff;
            else
                crc <<= 1;
    }
    return crc;
}

int frame(const unsigned char data[5])
{
    if (data[0] != 0x7e)
        return 1;
    if (data[1] > 2)
        return 2;
    if (crc8(data) != data[4])
        return 3;
    if (data[4] == 0xa5)
        return 4;
    return 0;
}

int adler(const unsigned char text[6])
{
    unsigned a = 1, b = 0;

    for (int i = 0; i < 6; i++) {
        if (text[i] < 'a' || text[i] > 'z')
            return -1;
        a = (a + text[i]) % 65521;
        b = (b + a) % 65521;
    }
    if (a == 640 && b == 2199)
        return 1;
    if (a > 733)
        return 2; /* dead: six times 'z', and one */
    return 0;
}
