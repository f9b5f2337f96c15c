/*@ requires \valid(p + (0 .. n-1)) && n > 100000; ensures \result == 1; */
int k(int *p, int n) { return 0; }

/*@ ensures \result >= 0; */
int one(int n) { return n < 0 ? 0 : n; }
