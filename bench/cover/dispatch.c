/* Operations behind pointers to functions. */

typedef int operation(int, int);

static int add(int a, int b)
{
    if ((b > 0 && a > 2147483647 - b) || (b < 0 && a < -2147483647 - 1 - b))
        return 0;
    return a + b;
}

static int greater(int a, int b)
{
    if (a > b)
        return a;
    return b;
}

static int mask(int a, int b)
{
    if (b < 0 || b > 30)
        return 0;
    return a & ((1 << b) - 1);
}

static operation *const table[3] = {add, greater, mask};

int by_number(int which, int a, int b)
{
    if (which < 0 || which > 2)
        return -1;
    int result = table[which](a, b);
    if (result == 4711 && which == 2)
        return 1;
    if (result < a && which == 1)
        return 2; /* dead: the greater one is not less */
    return 0;
}

int by_pointer(int (*op)(int, int), int a, int b)
{
    if (!op)
        return -1;
    if (op(a, b) == 77) {
        if (a == 77)
            return 1;
        return 2;
    }
    return 0;
}

int fold(operation *op, const int items[4], int start)
{
    int result = start;

    for (int i = 0; op && i < 4; i++)
        result = op(result, items[i]);
    if (op == greater && result < start)
        return 1; /* dead */
    if (op == mask && result == 5)
        return 2;
    return op == add;
}
