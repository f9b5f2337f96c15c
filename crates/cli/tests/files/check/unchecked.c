/* One clause can be checked, the other cannot. */
/*@ requires 0 <= x <= 9;
  @ ensures \result == x + 1;
  @ ensures \fresh(&x, 4); */
int next(int x)
{
    return x + 1;
}
