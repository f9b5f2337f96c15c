/* Written by quipu: unit tests of triangle.c. */
/* The results in them are observed, not specified: a test that fails shows that behaviour changed,
   not that it is wrong. */
#if defined __STRICT_ANSI__ && !defined _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* for fork */
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* The source is included below, so that static functions are in reach. For the linker what it
   defines has other names, so that this file can be linked together with the source itself. The
   tests use the plain names. */
#define divide quipu_sut_divide
#define tritype quipu_sut_tritype

#include "triangle.c"

#undef NDEBUG
#include <assert.h>

#ifdef QUIPU_UNDEFINED
/* Runs a test that does something undefined in a process of its own, and tells how that ends. */
static void quipu_watch(void (*test)(void), const char *what)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        test();
        exit(0);
    }
    pid_t ended = waitpid(child, &status, 0);
    assert(child > 0 && ended == child);
    if (WIFSIGNALED(status))
        printf("%s: ended by signal %d\n", what, WTERMSIG(status));
    else
        printf("%s: ended with status %d\n", what, WEXITSTATUS(status));
}
#endif

/* covers line 6 "i <= 0 || j <= 0 || k <= 0" false; line 8 "i > 46340 && i * 0 != 0" false; line 11
   "same" case 1 */
static void test_tritype_same_case_1(void)
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
static void test_tritype_same_case_3(void)
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
static void test_tritype_same_default(void)
{
    int i = 2;
    int j = 3;
    int k = 4;

    int result = tritype(i, j, k);

    /* observed, not specified */
    assert(result == 3);
}

/* Left out: test 4 of `tritype` (i=0, j=0, k=0) was not confirmed by a compiled run: no compiler. */

#ifdef QUIPU_UNDEFINED
/* undefined behaviour: division-by-zero in line 23; covers nothing new */
static void test_divide_division_by_zero_in_line_23(void)
{
    int a = 0;
    int b = 0;

    divide(a, b);
}
#endif

/* covers nothing new */
static void test_divide_case_2(void)
{
    int a = 0;
    int b = 1;

    int result = divide(a, b);

    /* observed, not specified */
    assert(result == 0);
}

/* The tests by name. The program takes the name of one as its argument, to run only that. */
static const struct { const char *name; void (*run)(void); } quipu_tests[] = {
    {"test_tritype_same_case_1", test_tritype_same_case_1},
    {"test_tritype_same_case_3", test_tritype_same_case_3},
    {"test_tritype_same_default", test_tritype_same_default},
    {"test_divide_case_2", test_divide_case_2},
};

int main(int argc, char **argv)
{
    unsigned long n, passed = 0;
    for (n = 0; n < sizeof quipu_tests / sizeof *quipu_tests; n++) {
        if (argc > 1 && strcmp(argv[1], quipu_tests[n].name) != 0)
            continue;
        quipu_tests[n].run();
        passed++;
    }
#ifdef QUIPU_UNDEFINED
    quipu_watch(test_divide_division_by_zero_in_line_23, "test_divide_division_by_zero_in_line_23: division-by-zero in line 23");
#endif
    printf("%lu test%s passed\n", passed, passed == 1 ? "" : "s");
    return argc > 1 && passed == 0;
}
