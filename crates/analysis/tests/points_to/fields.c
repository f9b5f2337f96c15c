/* Fields of structs, of elements of an array, and struct assignment. */
struct pair { int n; int *first, *second; };

int main(void)
{
    int a = 1, b = 2, k = 1;
    struct pair s = { 0, &a, &b }, t, many[3], *p = &s;
    t = s;
    p->first = &b;
    many[k].first = &a;
    many[k].second = &b;
    int *x = many[2].first;
    return *t.first + *x;
}
