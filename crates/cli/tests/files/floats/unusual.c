#include <complex.h>
#include <fenv.h>

long double wide = 1.0L;
struct mixed {
    double narrow;
    long double wide;
};

int parameter(long double x) {
    if (x > 1.0L)
        return 1;
    return 0;
}

int local(double x) {
    long double y = x;
    if (y > 1.0L)
        return 1;
    return 0;
}

int conversion(double x) {
    if ((long double)x > 2)
        return 1;
    return 0;
}

int global(void) {
    if (wide > 2)
        return 1;
    return 0;
}

int half(_Float16 x) {
    if (x > 1)
        return 1;
    return 0;
}

int quadruple(__float128 x) {
    if (x > 1)
        return 1;
    return 0;
}

int complex_number(double _Complex x) {
    if (creal(x) > 1)
        return 1;
    return 0;
}

int rounding(double x) {
    if (x > 3)
        return 1;
    fesetround(FE_UPWARD);
    if (x + 1e-30 > 1)
        return 2;
    return 0;
}

int plain(double x) {
    if (x > 4.5)
        return 1;
    return 0;
}
