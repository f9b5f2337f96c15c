/* Work for the interpreter: one function per kind. Each returns a checksum. */

static unsigned char composite[1 << 20];
static int cells[256];

unsigned sieve(unsigned rounds)
{
    unsigned count = 0;
    for (unsigned r = 0; r < rounds; r++) {
        for (unsigned i = 0; i < sizeof composite; i++)
            composite[i] = 0;
        for (unsigned i = 2; i < sizeof composite; i++) {
            if (composite[i])
                continue;
            count++;
            for (unsigned j = 2 * i; j < sizeof composite; j += i)
                composite[j] = 1;
        }
    }
    return count;
}

unsigned arithmetic(unsigned rounds)
{
    unsigned state = 12345, sum = 0;
    for (unsigned r = 0; r < rounds; r++)
        for (int i = 0; i < 256; i++) {
            state = state * 1103515245u + 12345u;
            cells[i] = (cells[i] ^ (int)(state >> 16)) & 1023;
            sum += (unsigned)cells[i];
        }
    return sum;
}

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

double floats(int rounds)
{
    double x = 0.5;
    for (int i = 0; i < rounds; i++)
        x = 3.9 * x * (1 - x);
    return x;
}
