/* Flow-sensitive: the order of assignments counts. */
int a, b;

int main(void)
{
    int *p, *q;
    p = &a;
    q = p;
    p = &b;
    return *p + *q;
}
