extern int shared;
int twice(int x);
static int helper(int x) { return x + 1; }
int tentative;
int from_a(int x) { return helper(twice(x)) + shared + tentative; }
int old_style();
int calls_old(void) { return old_style(1, 2.0f); }
