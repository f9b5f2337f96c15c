int shared = 7;
int tentative = 3;
static int helper(int x) { return x * 2; }
int twice(int x) { return helper(x); }
int old_style(a, b) char a; float b; { return a + (int)b; }
