#include <fenv.h>

/* What is behind a change of the rounding mode has no model. */
int rounding(double x) {
    if (x > 3)
        return 1;
    fesetround(FE_UPWARD);
    if (x + 1e-30 > 1)
        return 2;
    return 0;
}

int plain(double x) {
    if (x > 4.5 && x < 4.25)
        return 1;
    return 0;
}

int at_the_end(double x) {
    if (x > 3)
        return 1;
    return fesetround(FE_UPWARD);
}
