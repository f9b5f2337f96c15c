/* What the library answers in a test, one value after the other; behind the last, the input has ended. */
union quipu_item { unsigned long long number; double real; };
static struct { const union quipu_item *next; size_t left; } quipu_input;

static union quipu_item quipu_next_item(void)
{
    static const union quipu_item zero;
    if (quipu_input.left == 0)
        return zero;
    quipu_input.left--;
    return *quipu_input.next++;
}
