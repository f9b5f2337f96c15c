/* Structs and arrays behind pointers, as inputs and outputs. */
struct point { int x, y; };
struct box { struct point low, high; unsigned char tag; };

int inside(const struct box *box, struct point p)
{
    if (!box)
        return -1;
    if (p.x < box->low.x || p.x > box->high.x)
        return 0;
    if (p.y < box->low.y || p.y > box->high.y)
        return 0;
    if (box->tag == 0xa5)
        return 2;
    return 1;
}

void sort3(int v[3])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (v[j] > v[j + 1]) {
                int t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
            }
    if (v[0] > v[2])
        v[0] = 0; /* dead: sorted */
}

int find(const unsigned char key[4])
{
    static const unsigned char secret[4] = {'q', 'u', 'i', 'p'};
    for (int i = 0; i < 4; i++)
        if (key[i] != secret[i])
            return i;
    return 4;
}
