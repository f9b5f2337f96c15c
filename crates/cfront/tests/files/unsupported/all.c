#include <setjmp.h>

static jmp_buf env;

long double wide(long double x) { return x; }
int fine(int x) { return x + 1; }
__int128 big(void) { return 1; }
int assembly(int x) { __asm__("nop" : "+r"(x)); return x; }
int variable(int n) { int a[n]; a[0] = 1; return a[0]; }
int jumping(void) { return setjmp(env); }
typedef int v4 __attribute__((vector_size(16)));
int vector(v4 v) { return v[0]; }
double local_wide(double x) { long double y = x; return (double)(y * 2); }
_Complex double complex_sum(_Complex double a) { return a + a; }
long double global_wide = 1.0L;
int reads_wide(void) { return global_wide > 0; }
int also_fine(void) { return fine(2); }
int barrier(int x) { __asm__ volatile("" ::: "memory"); return x; }
int nesting(int x) { int inner(int y) { return y + x; } return inner(2); }
int declares_locally(int x) { int fine(int); return fine(x); }
