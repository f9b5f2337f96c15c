/* What C leaves to the compiler, the locale and the rounding mode. */
#include "met.h"
#include <ctype.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

union u { int i; char ch; };
union tail { long l; short s; };

int rounding(double x)
{
    fesetround(FE_UPWARD);
    double q = x / 3;
    fesetround(FE_TONEAREST);
    if (x == 1 && q != 1.0 / 3.0)
        MET; // gave-up
    return 0;
}

int rounding_to_integers(void)
{
    fesetround(FE_UPWARD);
    if (nearbyint(0.25) == 1.0)
        MET; // gave-up
    return 0;
}

int exceptions(double x)
{
    feclearexcept(FE_ALL_EXCEPT);
    volatile double y = 1.0 / x;
    (void)y;
    if (fetestexcept(FE_DIVBYZERO))
        MET; // gave-up
    return 0;
}

int letters(void)
{
    setlocale(LC_ALL, "");
    if (isalpha(0xe9))
        MET; // gave-up
    return 0;
}

int decimal_points(void)
{
    setlocale(LC_ALL, "");
    if (atof("1,5") == 1.5)
        MET; // gave-up
    return 0;
}

int other_bytes(void)
{
    union u m = {.ch = 1};
    if (m.i != 1)
        MET; // gave-up
    return 0;
}

int kept_bytes(short x)
{
    union tail m;
    m.l = -1;
    m.s = x;
    if (m.l != -1 && x == 5)
        MET; // covered
    return 0;
}
