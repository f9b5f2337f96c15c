/* What callers and tests see: parameters written as arrays, objects inside functions, types with names only. */
enum { ROWS = 3 };
#define COLUMNS (2 * ROWS)
typedef int row[COLUMNS];
typedef struct { int x, y; } point;
typedef enum { RED, GREEN = 5 } color;
struct pair { char first[2], second; };
static const int four = 4;
static int count;

void brackets(int a[10], int b[static ROWS + 1], int m[3][4], int *p[COLUMNS], const char s[sizeof(struct pair)]) {}
void names(row a, row *b, row c[2], row d[ROWS], const row e) {}
void lengths(int n, int a[n], int b[], int c[four], int *d, int (*e)[4], int f[n > 0 ? 1 : 2]) {}
void old_style(n, a, b) int n; int a[ROWS], *b; {}
void declared(int a[10]);

point moved(point p, const point *by, color c)
{
    static int count;
    static const point origin;
    declared(&count);
    return c == RED ? origin : p;
}

int next(void)
{
    static int count = 7;
    return count++;
}
