/* A program as those of competitions are: it defines what it checks by. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { }
void assume_abort_if_not(int cond)
{
    if (!cond)
        abort();
}
void __VERIFIER_assert(int cond)
{
    if (!(cond)) {
    ERROR:
        reach_error();
        abort();
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 0 && n < 1000);
    int i = 0, s = 0;
    while (i < n) {
        s += 2;
        i++;
        __VERIFIER_assert(i <= n);
    }
    __VERIFIER_assert(s == 2 * i);
#ifdef WRONG
    __VERIFIER_assert(s != 14);
    if (n == 900)
        reach_error();
#endif
    return 0;
}
