/* Preconditions that are loops, with more turns than are followed at first. */

/*@ requires \forall integer i; 0 <= i < 8 ==> k != i;
    ensures \result != 5; */
int other(int k)
{
    return k;
}

/*@ requires 0 <= n <= 16 && \valid_read(a + (0 .. n-1));
    requires \forall integer i; 0 <= i < n ==> a[i] > 0;
    ensures \result > 0; */
int first(const int *a, int n)
{
    return n > 0 ? a[0] : 1;
}

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
    ensures 0 <= \result <= n; */
int count(const int *a, int n)
{
    int c = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            c++;
    return c;
}
