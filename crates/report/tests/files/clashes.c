struct entry { int index; int test; };

int index(int index) { return index + 1; }
int test(int test, int result) { return test - result; }
int total_of(struct entry *entry, int result_) { return entry ? entry->index + entry->test + result_ : 0; }
int test_index_1(int NULL_value) { return NULL_value; }
int comment_text(int x) { return x /* odd */ > 0; }

static int twice(int x) { return 2 * x; }
static int negate(int x) { return -x; }
int apply(int (*f)(int), int x) { return f ? f(x) : 0; }
int (*choose(int which))(int) { return which ? twice : negate; }

/* Under the name of a library function that a header of the test file declares. */
static int getchar(int x) { return x + 1; }
int own(int x) { return getchar(x); }
