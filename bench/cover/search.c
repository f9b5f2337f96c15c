/* Binary search in a sorted array, and the searches for the borders of a run of equal keys. */

#define SIZE 16

int is_sorted(const int keys[SIZE])
{
    for (int i = 1; i < SIZE; i++)
        if (keys[i - 1] > keys[i])
            return 0;
    return 1;
}

int find(const int keys[SIZE], int wanted)
{
    int low = 0, high = SIZE - 1;

    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (keys[middle] == wanted)
            return middle;
        if (keys[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int lower_border(const int keys[SIZE], int wanted)
{
    int low = 0, high = SIZE;

    if (!is_sorted(keys))
        return -1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (keys[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == SIZE)
        return -2;
    if (keys[low] != wanted)
        return -3;
    /* Dead: the border is the first of its run. */
    if (low > 0 && keys[low - 1] == wanted)
        return -4;
    return low;
}
