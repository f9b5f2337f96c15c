/* What kind of triangle do three sides make? A small program to try Quipu on. */
#include <assert.h>
#include <stdio.h>

enum kind { INVALID, SCALENE, ISOSCELES, EQUILATERAL };

enum kind classify(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return INVALID;
    if (a + b <= c || a + c <= b || b + c <= a)
        return INVALID;
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b || b == c || a == c)
        return ISOSCELES;
    return SCALENE;
}

int largest(const int *sides, int n)
{
    int best = sides[0];
    for (int i = 1; i < n; i++)
        if (sides[i] > best)
            best = sides[i];
    return best;
}

int main(void)
{
    int a, b, c;
    if (scanf("%d %d %d", &a, &b, &c) != 3)
        return 1;
    enum kind k = classify(a, b, c);
    assert(k >= INVALID && k <= EQUILATERAL);
    printf("%d\n", k);
    return 0;
}
