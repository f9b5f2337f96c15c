/* A program with an entry point: only what can happen from there counts. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0 && x < 100 && y > 0 && y < 100);
    check(x + y > x);
#ifdef WRONG
    check(x * y != 1517);
#endif
    return 0;
}
