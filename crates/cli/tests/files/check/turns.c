/* A variable that lives in each of very many turns, and assertions that leave the loop. */
#include <assert.h>

int turns(unsigned char a)
{
    long long v = 8;
    unsigned i = 8;
    for (; i != -92; i++) {
        int t[3] = { 1, 11 };
        t[a % 3u] -= i;
        v = t[i % 3u];
        assert(a * 4 - (long long)i <= 1012);
        v -= a;
    }
    assert(a > 8);
    return i - v;
}
