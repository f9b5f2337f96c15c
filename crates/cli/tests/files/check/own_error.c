/* The program has its own idea of what an error does. */
void reach_error(void) { }

int half(int n)
{
    if (n % 2 == 0 && n / 2 * 2 != n)
        reach_error();
    if (n == 12345)
        reach_error();
    return n / 2;
}
