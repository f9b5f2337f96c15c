int g(int n);

int f(int a, int b, int c, int d) {
  if (a && (b ? c : d) && g(c || d))
    return 1;
  while (({ int k = 0; while (k < b) k++; k; }) || (c, d))
    b--;
  return !((a && b) == c) ? (a, b) || c : 0;
}
