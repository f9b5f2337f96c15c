/* Nothing is asserted here. */
int mean(int a, int b)
{
    return (a + b) / 2;
}

unsigned safe_mean(unsigned a, unsigned b)
{
    return (a & b) + ((a ^ b) >> 1);
}

int quotient(int a, int b)
{
    return b ? a / b : 0;
}
