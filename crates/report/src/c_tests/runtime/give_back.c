static void quipu_give_back(int byte)
{
    if (quipu_pushed_count < sizeof quipu_pushed)
        quipu_pushed[quipu_pushed_count++] = (unsigned char)byte;
    quipu_at_end = 0;
}
