/* Paths on which floats and real numbers differ. REAL is the format, RESULT a number, TURNS how often a loop turns. */
typedef REAL real;

int cancels(void) {
    real big = 1e30, x = ((2e-30 + big) - big) - (real)1e-30;
    if (x == -(real)1e-30)
        return 1;
    return 0;
}

static real discriminant(real a, real b, real c) {
    return b * b - 4 * (a * c);
}

int two_roots(real a, real b, real c) {
    if (discriminant(a, b, c) == (real)RESULT)
        return 2;
    return 0;
}

int one_root(real c) {
    if (discriminant(1.22, 3.34, c) == 0)
        return 1;
    return 0;
}

static real power(real x, real y) {
    real w = y < 0 ? 0 - y : y, z = 1;
    while (w > 0) {
        z = z * x;
        w = w - 1;
    }
    return y < 0 ? 1 / z : z;
}

int powers(real x, real y) {
    if (power(x, y) == (real)RESULT)
        return 1;
    return 0;
}

int absorbed(real x) {
    real y = 1e12, z;
    if (x > 0) {
        z = x + y;
        if (z == y)
            return 1;
    }
    return 0;
}

int grows(real x) {
    real y = 1e12, z;
    if (x < 10000) {
        z = x + y;
        if (z > y)
            return 1;
    }
    return 0;
}

int contradicts(real a, real b) {
    real x = a * b + 2;
    if (x > 100) {
        x = 100 - x;
        x = x * 50;
        if (x > 50)
            return 1;
    }
    return 0;
}

int without_a_turn(real y) {
    if (y < 0) {
        real w = 0 - y;
        if (w <= 0)
            return 1;
    }
    return 0;
}

int turns(real y) {
    int n = 0;
    if (y < 0) {
        real w = 0 - y;
        while (w > 0 && n <= TURNS) {
            w = w - 1;
            n++;
        }
        if (n == TURNS)
            return 1;
    }
    return 0;
}
