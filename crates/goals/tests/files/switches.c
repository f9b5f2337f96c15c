enum colour { RED, GREEN = 7 };

int f(int a, unsigned u, enum colour c) {
  switch (a) {
  case 1:
  case -2:
    a = 5;
    break;
  case 10 ... 12:
    a = 6;
  }
  switch (u) {
  default:
    return a;
  case 4000000000u:
    a++;
  }
  switch (c) {
  case RED: return 0;
  case GREEN: return 1;
  }
  return 2;
}
