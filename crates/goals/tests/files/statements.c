int twice(int n) { return 2 * n; }

int f(int n) {
  int sum = 0, unused;
  for (int i = 0; i < n; i++) {
    sum += twice(i);
    if (sum > 100)
      break;
  }
  do
    sum--;
  while (sum > 10);
  ;
  return sum;
}
