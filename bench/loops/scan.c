/* The index stays inside of the text. */
#include <assert.h>
int scan(const char *text, int n, char wanted)
{
    int i = 0;
    if (n < 0 || !text)
        return -1;
    while (i < n && text[i] != wanted)
        i++;
#ifdef BUG
    assert(i < n);
#else
    assert(i >= 0 && i <= n);
#endif
    return i;
}
