/* Whether *p is i or j depends on the way; a store through p leaves neither of two pointers definite. */
int read_number(void);

int main(void)
{
    int i = 1, j = 2, *p, *x = &i, *y = &i, **r;
    if (read_number() > 0) {
        p = &i;
        r = &x;
    } else {
        p = &j;
        r = &y;
    }
    *p = 7;
    *r = &j;
    return *x + *y;
}
