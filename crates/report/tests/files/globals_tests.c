/* Written by quipu: unit tests of globals.c. */
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
#define counter quipu_sut_counter
#define describe quipu_sut_describe
#define fill quipu_sut_fill
#define limit quipu_sut_limit
#define main quipu_sut_main
#define port quipu_sut_port
#define scale quipu_sut_scale
#define table quipu_sut_table
#define within quipu_sut_within

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wreturn-type"
#include "globals.c"
#pragma GCC diagnostic pop

#undef NDEBUG
#include <assert.h>

/* Objects that the source only declares. */
__typeof__(limit) limit;

/* Runs a test in a process of its own: one that ends by exit, or that leaves state behind which no
   test can set. Tells its exit status. */
static int quipu_status_of(void (*test)(void))
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        test();
        exit(0);
    }
    pid_t ended = waitpid(child, &status, 0);
    assert(child > 0 && ended == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* covers line 16 "level > limit" true */
static void test_bump_level_above_limit(void)
{
    level = 0;
    limit = 3;
    int by = 5;

    int result = bump(by);

    /* observed, not specified */
    assert(result == 3);
    assert(level == 3);
}

/* covers line 16 "level > limit" false */
static void test_bump_level_at_most_limit(void)
{
    level = 1;
    limit = 3;
    int by = 1;

    int result = bump(by);

    /* observed, not specified */
    assert(result == 2);
    assert(level == 2);
}

/* covers line 23 "i < n && i < 6" true; line 23 "i < n && i < 6" false */
static void test_fill_i_below_n_and_i_below_6(void)
{
    memcpy((void *)table, (int[6]){9}, sizeof table);
    memcpy((void *)port, (int[3]){0, 0, 4}, sizeof port);
    int n = 6;

    int result = fill(n);

    /* observed, not specified */
    assert(result == 30);
    assert(table[0] == 0);
    assert(table[1] == 6);
    assert(table[2] == 12);
    assert(table[3] == 18);
    assert(table[4] == 24);
    assert(table[5] == 30);
    assert(port[0] == 1);
}

/* covers line 23 "i < n && i < 6" true; line 23 "i < n && i < 6" false */
static void test_fill_i_below_n_and_i_below_6_2(void)
{
    memcpy((void *)table, (int[6]){0}, sizeof table);
    memcpy((void *)port, (int[3]){0}, sizeof port);
    int n = 1;

    int result = fill(n);

    /* observed, not specified */
    assert(result == 0);
    assert(port[0] == 1);
}

/* The tests of `describe` assume: `current.name` points to 8 elements, or is null; `head` points to
   1 element, or is null; `head->name` points to 8 elements, or points to `*current.name`, or is
   null. */

/* covers line 31 "!head" false */
static void test_describe_head(void)
{
    static char head_name[8] = "q";
    static struct item head_object = {.id = 7, .name = head_name};
    memcpy((void *)&current, &(struct item){0}, sizeof current);
    head = &head_object;

    int result = describe();

    /* observed, not specified */
    assert(result == 7);
    assert(current.id == 7);
    assert(current.name == head_name);
    assert(head == NULL);
    assert(head_object.id == 0);
}

/* covers line 31 "!head" true */
static void test_describe_not_head(void)
{
    memcpy((void *)&current, &(struct item){0}, sizeof current);
    head = NULL;

    int result = describe();

    /* observed, not specified */
    assert(result == 0);
}

/* covers nothing new */
static void test_within_case_1(void)
{
    memcpy((void *)&range, &(__typeof__(range)){.low = 1, .high = 2}, sizeof range);
    int x = 3;

    int result = within(x);

    /* observed, not specified */
    assert(result == 1);
    assert(range.high == 3);
}

/* covers nothing new */
static void test_within_case_2(void)
{
    memcpy((void *)&range, &(__typeof__(range)){0}, sizeof range);
    int x = 0;

    int result = within(x);

    /* observed, not specified */
    assert(result == 1);
    assert(range.high == 1);
}

/* The tests of `counter` assume: `scale` has its initial content at the start; `calls` has its
   initial content at the start. */

/* covers nothing new */
static void test_counter_case_1(void)
{
    int result = counter();

    /* observed, not specified */
    assert(result == 2);
}

/* covers nothing new */
static void test_counter_case_2(void)
{
    int result = counter();

    /* observed, not specified */
    assert(result == 2);
}

/* covers nothing new */
static void test_main_case_1(void)
{
    limit = 0;

    main();
}

/* The source linked to this file needs these, too. Nobody uses them. */
#undef limit
__attribute__((weak)) char limit[sizeof quipu_sut_limit];

#undef main

/* The tests by name. The program takes the name of one as its argument, to run only that. */
static const struct { const char *name; void (*run)(void); int status; } quipu_tests[] = {
    {"test_counter_case_1", test_counter_case_1, 0},
    {"test_counter_case_2", test_counter_case_2, 0},
    {"test_main_case_1", test_main_case_1, 0},
    {"test_bump_level_above_limit", test_bump_level_above_limit, -1},
    {"test_bump_level_at_most_limit", test_bump_level_at_most_limit, -1},
    {"test_fill_i_below_n_and_i_below_6", test_fill_i_below_n_and_i_below_6, -1},
    {"test_fill_i_below_n_and_i_below_6_2", test_fill_i_below_n_and_i_below_6_2, -1},
    {"test_describe_head", test_describe_head, -1},
    {"test_describe_not_head", test_describe_not_head, -1},
    {"test_within_case_1", test_within_case_1, -1},
    {"test_within_case_2", test_within_case_2, -1},
};

int main(int argc, char **argv)
{
    unsigned long n, passed = 0;
    for (n = 0; n < sizeof quipu_tests / sizeof *quipu_tests; n++) {
        if (argc > 1 && strcmp(argv[1], quipu_tests[n].name) != 0)
            continue;
        if (quipu_tests[n].status < 0)
            quipu_tests[n].run();
        else
            assert(quipu_status_of(quipu_tests[n].run) == quipu_tests[n].status);
        passed++;
    }
    printf("%lu test%s passed\n", passed, passed == 1 ? "" : "s");
    return argc > 1 && passed == 0;
}
