/* Forty lines that include what small programs include. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double mean(const double *values, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return n ? sum / n : 0;
}

static double deviation(const double *values, int n)
{
    double m = mean(values, n), sum = 0;
    for (int i = 0; i < n; i++)
        sum += (values[i] - m) * (values[i] - m);
    return n > 1 ? sqrt(sum / (n - 1)) : 0;
}

int main(int argc, char **argv)
{
    int n = argc - 1;
    double *values = malloc((size_t)(n > 0 ? n : 1) * sizeof *values);
    if (!values)
        return 1;
    for (int i = 0; i < n; i++) {
        char *end;
        values[i] = strtod(argv[i + 1], &end);
        if (*end) {
            fprintf(stderr, "not a number: %s\n", argv[i + 1]);
            free(values);
            return 2;
        }
    }
    printf("%g %g\n", mean(values, n), deviation(values, n));
    free(values);
    return 0;
}
