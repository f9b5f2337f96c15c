/* Loops, switch with fall-through, goto, break, continue. */
int loops(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i % 2)
            continue;
        s += i;
        if (s > 100)
            break;
    }
    while (s > 10)
        s /= 2;
    do {
        s++;
    } while (s < 5);
    return s;
}

int choose(int x)
{
    int r = 0;
    switch (x) {
    case 1:
        r = 10;
    case 2 ... 4:
        r++;
        break;
    default:
        r = -1;
    case 9:;
    }
    return r;
}

int jumps(int n)
{
again:
    if (n > 10) {
        n -= 3;
        goto again;
    }
    return n;
}

int late(int c)
{
    int x;
    if (c)
        x = 1;
    return x;
}
