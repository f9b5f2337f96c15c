static inline int half(int x)
{
    assert(x >= 0);
    return x / 2;
}
