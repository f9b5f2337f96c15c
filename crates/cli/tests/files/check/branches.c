/* Annotations beside directives. */
#define API
#define MOST 30

#ifdef OTHER
/*@ requires x > 100; */
#endif
/*@ ensures \result != 5; */
API
int same(int x)
{
    //@ assert x != 7;
#ifdef OTHER
    x = 1;
#endif
    return x;
}

#ifdef OTHER
int twice(int x) {
#else
int twice(int x) {
#endif
    //@ assert x < 1000;
    return 2 * x;
}

/*@ requires 0 <= n <= MOST && \valid_read(a + (0 .. n-1)); ensures \result == 0; */
int last(const int *a, int n)
{
    return n == MOST - 1 && a[MOST - 2] == 5;
}

struct part {
    struct part *next;
    int n;
};

/*@ requires \valid(p); ensures \old(p->next) != \null ==> p->next->n == \old(p->next->n); */
void keep(struct part *p)
{
}
