#include <assert.h>

int f(int a, int b, int c) {
  int r = a && b;
  assert(a || r);
  while (1) {
    if (a++ && !(b || c))
      return r;
    if (0 && a)
      return 3;
    r += b ? 1 : 2;
    if (1)
      a += 2;
  }
}
