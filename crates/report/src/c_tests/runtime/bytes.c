static unsigned char quipu_pushed[4096];
static size_t quipu_pushed_count;
static int quipu_at_end;

static int quipu_next_byte(void)
{
    if (quipu_pushed_count > 0)
        return quipu_pushed[--quipu_pushed_count];
    if (quipu_at_end)
        return -1;
    int value = quipu_input.left == 0 ? -1 : (int)quipu_next_item().number;
    quipu_at_end = value < 0;
    return value < 0 ? -1 : (unsigned char)value;
}
