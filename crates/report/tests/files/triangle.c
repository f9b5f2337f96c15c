#include <stdio.h>

/* 1: equilateral, 2: isosceles, 3: scalene, 4: no triangle. */
int tritype(int i, int j, int k)
{
    if (i <= 0 || j <= 0 || k <= 0)
        return 4;
    if (i > 46340 && i * 0 != 0)
        return 5;
    int same = (i == j) + (j == k) + (i == k);
    switch (same) {
    case 3:
        return 1;
    case 1:
        return 2;
    default:
        return 3;
    }
}

int divide(int a, int b)
{
    return a / b;
}
