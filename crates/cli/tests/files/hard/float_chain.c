/* A chain of floats through functions of the library. */
#include <math.h>

int f(const double *a, int n)
{
    double m[16], s = 0;
    if (n != 16)
        return -1;
    for (int i = 0; i < 16; i++)
        m[i] = a[i % 8] * 0.1 + i;
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < 16; i++) {
            m[i] = m[i] * m[(i + 1) % 16] / (1 + fabs(m[(i + 5) % 16]));
            s += sin(m[i]) * exp(-m[i] * m[i]);
        }
    if (s > 3.1415 && s < 3.1416)
        return 1;
    return floor(s) == 7;
}
