#include <math.h>

extern double sensor(void);

int limit(double x) {
    if (x > 2.5)
        return 1;
    if (x < 0.5)
        return 2;
    return 0;
}

int single(float x) {
    if (x == 0.5f)
        return 1;
    return 0;
}

int kind(double x) {
    if (isnan(x))
        return 1;
    if (isinf(x))
        return 2;
    return 0;
}

int measured(void) {
    double t = sensor();
    if (t != t)
        return 1;
    if (t > 36.625 && t < 36.75)
        return 2;
    return 0;
}

int whole(int n, double scale) {
    if (n == 3 && scale > 1.0)
        return 1;
    return 0;
}

int never(double x) {
    double y = x * x;
    if (y < -1.0)
        return 1;
    return 0;
}

int plain(int n) {
    if (n > 3 && n < 2)
        return 1;
    return 0;
}

int mixed(float x) {
    if (x < 0.5)
        return 1;
    return 0;
}

int zero(double x) {
    if (x == 0.0)
        return 1;
    return 0;
}
