/* Several levels. */
int main(void)
{
    int a = 0, b = 1, *p = &a, *q = &b, **pp = &p, ***ppp = &pp;
    **ppp = q;
    *ppp = &q;
    **pp = 5;
    return *p;
}
