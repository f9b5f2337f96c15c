/* A matrix, squared twelve times. */
int f(const unsigned *x)
{
    unsigned a[6][6], b[6][6];
    for (unsigned i = 0; i < 36; i++)
        a[i / 6][i % 6] = x[i % 8] + i;
    for (int power = 0; power < 12; power++) {
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                b[i][j] = 0;
                for (int k = 0; k < 6; k++)
                    b[i][j] += a[i][k] * a[k][j];
            }
        for (int i = 0; i < 36; i++)
            a[i / 6][i % 6] = b[i / 6][i % 6];
    }
    if (a[0][0] == 0xdeadbeef)
        return 1;
    if (a[5][5] % 1009 == 5 && a[2][3] == a[3][2])
        return 2;
    return 0;
}
