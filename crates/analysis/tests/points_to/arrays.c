/* Arrays of pointers, with constant and with other indices. */
int main(void)
{
    int a = 1, b = 2, c = 3, i = 0, *t[3] = { &a, &b, &c };
    int *p = t[1];
    t[0] = p;
    while (i < 2)
        i++;
    int *q = t[i];
    t[i] = &a;
    return *p + *q;
}
