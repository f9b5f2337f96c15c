/* Written by quipu: unit tests of objects.c. */
/* The results in them are observed, not specified: a test that fails shows that behaviour changed,
   not that it is wrong. */
#include <stdio.h>
#include <string.h>

/* The source is included below, so that static functions are in reach. For the linker what it
   defines has other names, so that this file can be linked together with the source itself. The
   tests use the plain names. */
#define area quipu_sut_area
#define count quipu_sut_count
#define count_words quipu_sut_count_words
#define find quipu_sut_find
#define greatest quipu_sut_greatest
#define inner quipu_sut_inner
#define last quipu_sut_last
#define link_up quipu_sut_link_up
#define mirror quipu_sut_mirror
#define pack quipu_sut_pack
#define sign quipu_sut_sign
#define sort3 quipu_sut_sort3
#define sum quipu_sut_sum
#define tag quipu_sut_tag
#define toggled quipu_sut_toggled
#define trace quipu_sut_trace
#define whole quipu_sut_whole

#include "objects.c"

#undef NDEBUG
#include <assert.h>

/* The tests of `sum` assume: `n` is at most 65536; `a` is zero from element 9 on; `a` points to `n`
   elements, or is null. */

/* covers line 15 "i < n" true; line 15 "i < n" false */
static void test_sum_i_below_n(void)
{
    int a[3] = {1, -2};
    int n = 3;

    int result = sum(a, n);

    /* observed, not specified */
    assert(result == -1);
}

/* covers line 15 "i < n" false */
static void test_sum_i_at_least_n(void)
{
    int n = 0;

    int result = sum(NULL, n);

    /* observed, not specified */
    assert(result == 0);
}

/* The tests of `sort3` assume: `a` points to 3 elements, as declared. */

/* covers line 22 "i < 2" true; line 22 "i < 2" false; line 23 "j < 2 - i" true; line 23 "j < 2 - i"
   false; line 24 "a[j] > a[j + 1]" true */
static void test_sort3_i_below_2(void)
{
    int a[3] = {3, 2, 1};

    sort3(a);

    /* observed, not specified */
    assert(a[0] == 1);
    assert(a[2] == 3);
}

/* The tests of `area` assume: `b` points to 1 element, or is null. */

/* covers line 33 "!b" false */
static void test_area_b(void)
{
    struct box b = {.high = {.x = 4, .y = 5}, .name = "hi", .weights = {{0, 6}}};

    int result = area(&b);

    /* observed, not specified */
    assert(result == 25);
    assert(b.low.x == -1);
    assert(b.weights[1][2] == 209);
}

/* covers line 33 "!b" true */
static void test_area_not_b(void)
{
    int result = area(NULL);

    /* observed, not specified */
    assert(result == -1);
}

/* The tests of `pack` assume: `f` points to 1 element, or is null. */

/* covers nothing new */
static void test_pack_case_1(void)
{
    struct flags f = {.b = -1, .d = 16777215ULL};
    int v = -16;

    pack(&f, v);

    /* observed, not specified */
    assert(f.a == 1U);
    assert(f.b == -16);
    assert(f.d == 16777216ULL);
    assert(f.e == 3U);
}

/* The tests of `last` assume: `n` points to 1 element, or is null; `n->next` points to 1 element,
   or points to `*n`, or is null; `n->next->next` points to 1 element, or points to `*n->next` or
   `*n`, or is null; `n->next->next->next` points to an earlier object of its type, or is null. */

/* covers line 50 "n && n->next" true; line 50 "n && n->next" false; line 52 "n" true */
static void test_last_n_and_n_next(void)
{
    struct node n_next = {.value = 4};
    struct node n = {.value = 3, .next = &n_next};

    int result = last(&n);

    /* observed, not specified */
    assert(result == 4);
}

/* covers line 50 "n && n->next" false; line 52 "n" false */
static void test_last_not_n(void)
{
    int result = last(NULL);

    /* observed, not specified */
    assert(result == -1);
}

/* The tests of `find` assume: `n` points to 1 element, or is null; `n->next` points to 1 element,
   or points to `*n`, or is null; `n->next->next` points to 1 element, or points to `*n->next` or
   `*n`, or is null; `n->next->next->next` points to an earlier object of its type, or is null. */

/* covers line 57 "n && n->value != value" true; line 57 "n && n->value != value" false */
static void test_find_n_and_n_value_is_not_value(void)
{
    struct node n_next = {.value = 4};
    struct node n = {.next = &n_next};
    int value = 4;

    const void *result = find(&n, value);

    /* observed, not specified */
    assert(result == &n_next);
}

/* covers line 57 "n && n->value != value" false */
static void test_find_n_and_n_value_is_not_value_fails(void)
{
    int value = 9;

    const void *result = find(NULL, value);

    /* observed, not specified */
    assert(result == NULL);
}

/* The tests of `greatest` assume: `a` points to 4 elements, as declared. */

/* covers line 65 "i < 4" true; line 65 "i < 4" false; line 66 "a[i] > *best" true; line 66 "a[i] >
   *best" false */
static void test_greatest_a_i_above_times_best(void)
{
    int a[4] = {0, 0, 7};

    const void *result = greatest(a);

    /* observed, not specified */
    assert(result == &a[2]);
}

/* covers line 65 "i < 4" true; line 65 "i < 4" false; line 66 "a[i] > *best" false */
static void test_greatest_i_below_4(void)
{
    int a[4] = {0};

    const void *result = greatest(a);

    /* observed, not specified */
    assert(result == a);
}

/* covers line 71 "x < 0" true */
static void test_sign_x_below_0(void)
{
    int x = -1;

    const void *result = sign(x);

    /* observed, not specified */
    assert(strcmp(result, "minus") == 0);
}

/* covers line 71 "x < 0" false; line 71 "x > 0" true */
static void test_sign_x_above_0(void)
{
    int x = 1;

    const void *result = sign(x);

    /* observed, not specified */
    assert(strcmp(result, "plus\t?") == 0);
}

/* covers line 71 "x < 0" false; line 71 "x > 0" false */
static void test_sign_x_at_most_0(void)
{
    int x = 0;

    const void *result = sign(x);

    /* observed, not specified */
    assert(strcmp(result, "") == 0);
}

/* covers nothing new */
static void test_mirror_case_1(void)
{
    struct point p = {.x = 3, .y = -4};

    struct point result = mirror(p);

    /* observed, not specified */
    assert(result.x == -3);
    assert(result.y == -4);
}

/* covers nothing new */
static void test_toggled_case_1(void)
{
    struct flags f = {.a = 5U, .b = 7, .d = 549755813888ULL};

    struct flags result = toggled(f);

    /* observed, not specified */
    assert(result.a == 5U);
    assert(result.b == -7);
    assert(result.c == 1);
    assert(result.d == 549755813888ULL);
    assert(result.e == 0U);
}

/* covers nothing new */
static void test_count_case_1(void)
{
    totals t = {.sum = 3L, .count = 255};
    int v = 2;

    totals result = count(t, v);

    /* observed, not specified */
    assert(result.sum == 5L);
    assert(result.count == 0);
}

/* The tests of `whole` assume: unions hold their first members, and zeros behind them; `n` points
   to 1 element, or is null. */

/* covers nothing new */
static void test_whole_case_1(void)
{
    union number n = {.whole = 41};

    int result = whole(&n);

    /* observed, not specified */
    assert(result == 42);
    assert(n.whole == 42);
}

/* The tests of `tag` assume: unions hold their first members, and zeros behind them; `t` points to
   1 element, or is null; `t->label` points to 8 elements, or is null. */

/* covers nothing new */
static void test_tag_case_1(void)
{
    struct tagged t = {.kind = 1, .n = {.whole = 2}, .inner = 3};

    int result = tag(&t);

    /* observed, not specified */
    assert(result == 3);
    assert(t.inner == 4);
}

/* The tests of `count_words` assume: `words` points to 8 elements, or is null; `words[0]` points to
   8 elements, or is null; `words[1]` points to 8 elements, or points to `*words[0]`, or is null;
   `words[2]` points to 8 elements, or points to `*words[0]` or `*words[1]`, or is null; `words[3]`
   points to 8 elements, or points to an earlier object of its type, or is null; `words[4]` points
   to 8 elements, or points to an earlier object of its type, or is null; `words[5]` points to 8
   elements, or points to an earlier object of its type, or is null; `words[6]` points to 8
   elements, or points to an earlier object of its type, or is null; `words[7]` points to 8
   elements, or points to an earlier object of its type, or is null. */

/* covers line 78 "n < 8 && words[n]" true; line 78 "n < 8 && words[n]" false */
static void test_count_words_n_below_8_and_words_n(void)
{
    char words_0[8] = "";
    char *words[8] = {words_0};

    int result = count_words((void *)words);

    /* observed, not specified */
    assert(result == 1);
}

/* The tests of `trace` assume: `m` points to 8 elements, or is null. */

/* covers line 79 "n == 1" false */
static void test_trace_n_is_not_1(void)
{
    int m[8][2] = {{1}, {0, 2}};
    int n = 2;

    int result = trace((void *)m, n);

    /* observed, not specified */
    assert(result == 3);
}

/* The tests of `inner` assume: `h` points to 1 element, or is null; `h->inner` points to 1 element,
   or is null. */

/* covers line 80 "h && h->inner" true */
static void test_inner_h_and_h_inner(void)
{
    __typeof__(*((struct holder *)0)->inner) h_inner = {.q = 8};
    struct holder h = {.inner = &h_inner};

    int result = inner(&h);

    /* observed, not specified */
    assert(result == 8);
}

/* covers line 80 "h && h->inner" false */
static void test_inner_h_and_h_inner_fails(void)
{
    int result = inner(NULL);

    /* observed, not specified */
    assert(result == -1);
}

/* The tests of `link_up` assume: `a` points to 1 element, or is null; `b` points to 1 element, or
   points to `*a`, or is null; `a->next` points to 1 element, or points to `*a` or `*b`, or is null;
   `b->next` points to 1 element, or points to an earlier object of its type, or is null;
   `a->next->next` points to 1 element, or points to an earlier object of its type, or is null;
   `b->next->next` points to 1 element, or points to an earlier object of its type, or is null;
   `a->next->next->next` points to an earlier object of its type, or is null; `b->next->next->next`
   points to an earlier object of its type, or is null. */

/* covers line 81 "a && b" true */
static void test_link_up_a_and_b(void)
{
    struct node a = {0};
    struct node b_next = {0};
    struct node b = {.next = &b_next};

    link_up(&a, &b);

    /* observed, not specified */
    assert(a.next == &b);
    assert(b.next == NULL);
}

/* covers line 81 "a && b" false */
static void test_link_up_a_and_b_fails(void)
{
    link_up(NULL, NULL);
}

/* The tests by name. The program takes the name of one as its argument, to run only that. */
static const struct { const char *name; void (*run)(void); } quipu_tests[] = {
    {"test_sum_i_below_n", test_sum_i_below_n},
    {"test_sum_i_at_least_n", test_sum_i_at_least_n},
    {"test_sort3_i_below_2", test_sort3_i_below_2},
    {"test_area_b", test_area_b},
    {"test_area_not_b", test_area_not_b},
    {"test_pack_case_1", test_pack_case_1},
    {"test_last_n_and_n_next", test_last_n_and_n_next},
    {"test_last_not_n", test_last_not_n},
    {"test_find_n_and_n_value_is_not_value", test_find_n_and_n_value_is_not_value},
    {"test_find_n_and_n_value_is_not_value_fails", test_find_n_and_n_value_is_not_value_fails},
    {"test_greatest_a_i_above_times_best", test_greatest_a_i_above_times_best},
    {"test_greatest_i_below_4", test_greatest_i_below_4},
    {"test_sign_x_below_0", test_sign_x_below_0},
    {"test_sign_x_above_0", test_sign_x_above_0},
    {"test_sign_x_at_most_0", test_sign_x_at_most_0},
    {"test_mirror_case_1", test_mirror_case_1},
    {"test_toggled_case_1", test_toggled_case_1},
    {"test_count_case_1", test_count_case_1},
    {"test_whole_case_1", test_whole_case_1},
    {"test_tag_case_1", test_tag_case_1},
    {"test_count_words_n_below_8_and_words_n", test_count_words_n_below_8_and_words_n},
    {"test_trace_n_is_not_1", test_trace_n_is_not_1},
    {"test_inner_h_and_h_inner", test_inner_h_and_h_inner},
    {"test_inner_h_and_h_inner_fails", test_inner_h_and_h_inner_fails},
    {"test_link_up_a_and_b", test_link_up_a_and_b},
    {"test_link_up_a_and_b_fails", test_link_up_a_and_b_fails},
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
    printf("%lu test%s passed\n", passed, passed == 1 ? "" : "s");
    return argc > 1 && passed == 0;
}
