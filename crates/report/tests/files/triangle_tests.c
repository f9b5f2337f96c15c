/* Unit tests of triangle.c, written by quipu. The results in them are observed, not specified: a
   test that fails shows that behaviour changed, not that it is wrong. */
#include <stdio.h>

/* The source is included below, so that static functions are in reach. For the linker what it
   defines has other names, so that this file can be linked together with the source itself. The
   tests use the plain names. */
#define divide quipu_sut_divide
#define tritype quipu_sut_tritype

#include "triangle.c"

#undef NDEBUG
#include <assert.h>

/* covers line 6 "i <= 0 || j <= 0 || k <= 0" false; line 8 "i > 46340 && i * 0 != 0" false; line 11
   "same" case 1 */
static void test_tritype_1(void)
{
    int i = 2;
    int j = 2;
    int k = 3;

    int result = tritype(i, j, k);

    /* observed, not specified */
    assert(result == 2);
}

/* covers line 6 "i <= 0 || j <= 0 || k <= 0" false; line 8 "i > 46340 && i * 0 != 0" false; line 11
   "same" case 3 */
static void test_tritype_2(void)
{
    int i = 1;
    int j = 1;
    int k = 1;

    int result = tritype(i, j, k);

    /* observed, not specified */
    assert(result == 1);
}

/* covers line 6 "i <= 0 || j <= 0 || k <= 0" false; line 8 "i > 46340 && i * 0 != 0" false; line 11
   "same" default */
static void test_tritype_3(void)
{
    int i = 2;
    int j = 3;
    int k = 4;

    int result = tritype(i, j, k);

    /* observed, not specified */
    assert(result == 3);
}

/* Left out: test 4 of `tritype` (i=0, j=0, k=0) was not confirmed by a compiled run: no compiler. */

/* Left out: test 1 of `divide` (a=0, b=0) does not come back: undefined behaviour:
   division-by-zero, at triangle.c:23:12. */

/* covers nothing new */
static void test_divide_2(void)
{
    int a = 0;
    int b = 1;

    int result = divide(a, b);

    /* observed, not specified */
    assert(result == 0);
}

int main(void)
{
    test_tritype_1();
    test_tritype_2();
    test_tritype_3();
    test_divide_2();
    puts("4 tests passed");
    return 0;
}
