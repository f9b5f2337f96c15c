/* Pointers that change places in a loop. */
int main(void)
{
    int a = 1, b = 2, c = 3, *p = &a, *q = &b, *r = &c, *t;
    for (int i = 0; i < 10; i++) {
        t = p;
        p = q;
        q = r;
        r = t;
    }
    return *p;
}
