/* What the environment answers: characters, random numbers, a sensor, numbers read. */

#include <stdio.h>
#include <stdlib.h>

int sensor(int channel);

int read_number(void)
{
    int value = 0, digits = 0, letter = getchar();

    while (letter >= '0' && letter <= '9' && digits < 4) {
        value = value * 10 + (letter - '0');
        digits++;
        letter = getchar();
    }
    if (digits == 0)
        return -1;
    if (letter == EOF)
        return -2;
    if (value == 2049)
        return -3;
    return value;
}

int throw_dice(int count)
{
    int sum = 0;

    if (count < 1 || count > 3)
        return -1;
    for (int i = 0; i < count; i++)
        sum += rand() % 6 + 1;
    if (sum == 18)
        return 1;
    if (sum > 18 || sum < 1)
        return 2; /* dead */
    return 0;
}

int control(int target)
{
    int first = sensor(0), second = sensor(1);

    if (first < 0 || second < 0)
        return -1;
    if (first > 1000 || second > 1000)
        return -2;
    if (first + second == 2 * target && first != second) {
        if (target == 617)
            return 2;
        return 1;
    }
    if (first * second == 999 * 998)
        return 3;
    return 0;
}

int main(void)
{
    int a, b;

    if (scanf("%d %d", &a, &b) != 2)
        return 1;
    if (a < 0 || b < 0 || a > 1000 || b > 1000)
        return 2;
    if (a * a - b * b == 1001)
        printf("found\n");
    return 0;
}
