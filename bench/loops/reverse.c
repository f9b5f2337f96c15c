/* An array is reversed in place: both ends stay inside. */
int ready(void);
void reverse(unsigned n)
{
    static int a[64];
    if (n > 64)
        return;
    unsigned i = 0, j = n;
#ifdef BUG
    while (i <= j) {
#else
    while (i < j) {
#endif
        j--;
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
        i++;
    }
}
