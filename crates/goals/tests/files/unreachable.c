void stop(void) __attribute__((noreturn));

int f(int a) {
  if (a > 3)
    return 1;
  else
    return 2;
  a++;
  while (a && a < 5)
    a++;
  switch (a) { case 1: a = 2; }
}

void g(int a, int b) {
  stop();
  if (a < b)
    b++;
}
