/* Arrays of other files have elements, however many. */
#include "met.h"

extern const int table[];
extern const struct { char key; short val[2]; } rows[];
extern const char *const names[];
extern long grid[][3];

int number(int i)
{
    if (i < 0 || i > 5)
        return -1;
    if (table[i] > 4)
        MET; // covered
    return 0;
}

int record(void)
{
    if (rows[1].key == 'k' && rows[3].val[1] == -2)
        MET; // covered
    return 0;
}

int text(void)
{
    if (names[2] && names[2][0] == 'z')
        MET; // covered
    return 0;
}

int far(void)
{
    if (grid[70][2] == 8)
        MET; // excluded
    return 0;
}
