/*
 * Integer matrices: by pointer to rows, by pointer to fixed rows, and inside a struct.
 *
 * Out of reach:
 *   matrix_transpose  `m[i][j] != t` behind the exchange, unless `m[i]` and `m[j]` overlap (fixed rows do not).
 *   matrix_trace      `i != SIZE` behind the loop.
 *   is_identity       nothing.
 *   grid_get          `index >= grid->rows * grid->columns` behind the checks of row and column (the products of
 *                     16-bit numbers do not overflow).
 *   saddle_point      nothing.
 */
#include <stddef.h>
#include <stdint.h>

#define SIZE 3

void matrix_transpose(int m[SIZE][SIZE])
{
    for (int i = 0; i < SIZE; i++) {
        for (int j = i + 1; j < SIZE; j++) {
            int t = m[j][i];
            m[j][i] = m[i][j];
            m[i][j] = t;
            if (m[i][j] != t)
                return;
        }
    }
}

long matrix_trace(int m[SIZE][SIZE])
{
    long trace = 0;
    int i;
    for (i = 0; i < SIZE; i++)
        trace += m[i][i];
    if (i != SIZE)
        return 0;
    return trace;
}

int is_identity(int (*m)[SIZE])
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            if (m[i][j] != (i == j))
                return 0;
    return 1;
}

/* Rows that are allocated one by one, as in `int **`. */
int row_maximum(int **rows, int height, int width)
{
    int best;
    if (rows == NULL || height <= 0 || width <= 0)
        return -1;
    best = rows[0][0];
    for (int i = 0; i < height; i++) {
        if (rows[i] == NULL)
            continue;
        for (int j = 0; j < width; j++)
            if (rows[i][j] > best)
                best = rows[i][j];
    }
    return best;
}

struct grid {
    uint16_t rows;
    uint16_t columns;
    int *cells;
};

int *grid_get(const struct grid *grid, unsigned row, unsigned column)
{
    uint32_t index;
    if (row >= grid->rows || column >= grid->columns)
        return NULL;
    index = (uint32_t)row * grid->columns + column;
    if (index >= (uint32_t)grid->rows * grid->columns)
        return NULL;
    return &grid->cells[index];
}

/* Whether a cell is the least of its row and the greatest of its column. */
int saddle_point(int m[SIZE][SIZE], int row, int column)
{
    if (row < 0 || row >= SIZE || column < 0 || column >= SIZE)
        return -1;
    for (int k = 0; k < SIZE; k++) {
        if (m[row][k] < m[row][column])
            return 0;
        if (m[k][column] > m[row][column])
            return 0;
    }
    return 1;
}

/* Product of two matrices into a third that may be one of them. */
int multiply(int16_t out[2][2], int16_t a[2][2], int16_t b[2][2])
{
    int result[2][2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                result[i][j] += a[i][k] * b[k][j] / 2;
    for (int i = 0; i < 4; i++) {
        int value = result[i / 2][i % 2];
        if (value > INT16_MAX || value < INT16_MIN)
            return -1;
        out[i / 2][i % 2] = (int16_t)value;
    }
    return 0;
}
