/* Pointers that point to one variable or another, and what that says about the inputs. */

int chosen(int c, int v) {
    int x = 3, y = 8;
    int *p = &x;
    if (c == 1)
        p = &y;
    *p = v;
    if (x == 3 && y == 20)
        return 1;
    return 0;
}

int two_steps(int a, int b) {
    int x = a, y = b;
    int *p = &x, *q = &y;
    if (a < b)
        p = q;
    *p = *p + 4;
    q = p;
    *q = *q * 2;
    if (a == 5 && y == 30 && x == 5)
        return 1;
    return 0;
}

int two_levels(int n) {
    int x = 1, y = 2;
    int *p = &x, *q = &y;
    int **pp = &p;
    if (n > 10)
        pp = &q;
    **pp = n;
    if (y > 15 && y < 20)
        return 1;
    return 0;
}

int one_branch(int n, int m) {
    int x = 0, y = 0, *p = &y;
    if (n > 100)
        p = &x;
    *p = m;
    x = x + y;
    if (y == 0 && x > 6 && x < 9)
        return 1;
    return 0;
}

int given(int *p, int *q, int m) {
    *q = 5;
    *p = m;
    if (*q > 5 && *q < 9)
        return 1;
    return 0;
}
