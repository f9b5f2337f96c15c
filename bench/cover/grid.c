/* Nested loops over small grids. */

#define ROWS 4
#define COLUMNS 5

int saddle(int grid[ROWS][COLUMNS])
{
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            int good = 1;
            for (int k = 0; k < COLUMNS && good; k++)
                if (grid[row][k] < grid[row][column])
                    good = 0;
            for (int k = 0; k < ROWS && good; k++)
                if (grid[k][column] > grid[row][column])
                    good = 0;
            if (good)
                return row * COLUMNS + column;
        }
    return -1;
}

int pairs(int n, int sum)
{
    int found = 0;

    if (n < 0 || n > 9)
        return -1;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            if (i + j == sum)
                found++;
            if (i == j)
                found = -100; /* dead */
        }
    if (found > 4)
        return -2; /* dead: at most four pairs of numbers below nine have one sum */
    if (found == 4)
        return 100;
    return found;
}

int bubble(int items[6])
{
    int swaps = 0;

    for (int end = 5; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (items[i] > items[i + 1]) {
                int kept = items[i];
                items[i] = items[i + 1];
                items[i + 1] = kept;
                swaps++;
            }
    if (swaps == 15)
        return 2;
    if (swaps > 15)
        return 3; /* dead */
    return swaps != 0;
}
