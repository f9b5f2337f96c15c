/* A walk through millions of elements that change on the way. */
static int t[3000000];

int f(unsigned i, unsigned j, int v)
{
    i %= 3000000;
    j %= 3000000;
    t[i] = v;
    for (int k = 0; k < 50; k++) {
        j = (j * 31u + (unsigned)t[j]) % 3000000;
        t[j] ^= k ^ v;
    }
    if (t[j] == 4711 && j == 2999999)
        return 1;
    return t[i] == 7;
}
