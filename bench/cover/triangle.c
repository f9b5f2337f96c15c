/* Classifies a triangle by its sides: 0 none, 1 scalene, 2 isosceles, 3 equilateral, 4 right-angled as well. */

int is_triangle(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return 0;
    /* Differences do not overflow, sums would. */
    return a > b - c && b > c - a && c > a - b && a > c - b;
}

int classify(int a, int b, int c)
{
    int kind;

    if (!is_triangle(a, b, c))
        return 0;
    if (a == b && b == c)
        kind = 3;
    else if (a == b || b == c || a == c)
        kind = 2;
    else
        kind = 1;
    if (a < 1000 && b < 1000 && c < 1000)
        if (a * a + b * b == c * c || b * b + c * c == a * a || c * c + a * a == b * b)
            kind += 4;
    return kind;
}
