/* Products in a sorting network. */
int f(const int *x)
{
    long a[24];
    for (int i = 0; i < 24; i++)
        a[i] = (long)x[i % 8] * (x[(i + 3) % 8] ^ i);
    for (int round = 0; round < 24; round++)
        for (int i = round & 1; i + 1 < 24; i += 2)
            if (a[i] > a[i + 1]) {
                long t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
    if (a[0] == 12345)
        return 1;
    if (a[11] + a[12] == 777 && a[23] == a[0] + 99991)
        return 2;
    return 0;
}
