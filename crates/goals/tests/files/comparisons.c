#define LESS(a, b) ((a) < (b))
#define NONZERO(x) ((x) != 0)
#define LIMIT 10

struct pair { unsigned left, right; };

int f(int a, int b, unsigned u, unsigned char c, double x, int *p, struct pair *q) {
  int r = a >= LIMIT;
  r += (a + 1) < (b);
  if (a & b == 3) r++;
  if (a) r++;
  if (u != 0 || c == '<') r++;
  if (LESS(a, b) && NONZERO(a)) r++;
  if (x < 2 || p == 0 || !p) r++;
  if (q->left > q->right) r++;
  r += u <= 7 ? a == b : (a > b) > c;
  return r != (b << 2) + 1;
}
