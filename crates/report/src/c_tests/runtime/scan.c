/* Scans the input: a number is two values, whether the input ends before it, and the number; text is taken byte by
   byte. */
struct quipu_conversion { int suppressed; size_t width; size_t size; int is_long; char kind; unsigned char set[256]; };

static int quipu_is_space(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static void quipu_skip_space(void)
{
    while (quipu_pushed_count > 0 && quipu_is_space(quipu_pushed[quipu_pushed_count - 1]))
        quipu_pushed_count--;
}

static const char *quipu_read_set(const char *at, unsigned char *set)
{
    int negated = *at == '^', first = 1;
    at += negated;
    memset(set, negated, 256);
    for (; *at && (first || *at != ']'); first = 0) {
        unsigned low = (unsigned char)*at++, high = low;
        if (*at == '-' && at[1] && at[1] != ']') {
            high = (unsigned char)at[1];
            at += 2;
        }
        for (unsigned byte = low; byte <= high; byte++)
            set[byte] = !negated;
    }
    return *at ? at + 1 : at;
}

static const char *quipu_read_length(const char *at, struct quipu_conversion *c)
{
    c->size = sizeof(int);
    c->is_long = 0;
    if (at[0] == 'h') {
        c->size = at[1] == 'h' ? sizeof(char) : sizeof(short);
        return at + (at[1] == 'h' ? 2 : 1);
    }
    if (at[0] == 'l' || at[0] == 'L' || at[0] == 'j' || at[0] == 'q') {
        c->is_long = 1;
        c->size = at[0] == 'l' && at[1] != 'l' ? sizeof(long) : sizeof(long long);
        return at + (at[0] == 'l' && at[1] == 'l' ? 2 : 1);
    }
    if (at[0] == 'z' || at[0] == 't') {
        c->size = sizeof(size_t);
        return at + 1;
    }
    return at;
}

static const char *quipu_read_conversion(const char *at, struct quipu_conversion *c)
{
    c->suppressed = *at == '*';
    at += c->suppressed;
    for (c->width = 0; *at >= '0' && *at <= '9'; at++)
        c->width = c->width * 10 + (size_t)(*at - '0');
    at = quipu_read_length(at, c);
    c->kind = *at;
    if (*at)
        at++;
    if (c->kind == '[')
        return quipu_read_set(at, c->set);
    for (int byte = 0; byte < 256; byte++)
        c->set[byte] = c->kind != 's' || !quipu_is_space(byte);
    return at;
}

static int quipu_scan_number(const struct quipu_conversion *c, void *to)
{
    quipu_skip_space();
    /* What comes: 0 for a number, 1 for the end of the input. */
    int ahead = quipu_at_end || quipu_input.left == 0 ? 1 : (int)quipu_next_item().number;
    quipu_at_end = ahead == 1;
    if (ahead != 0)
        return ahead == 1 ? -1 : 0;
    union quipu_item item = quipu_next_item();
    unsigned char small = (unsigned char)item.number;
    unsigned short medium = (unsigned short)item.number;
    unsigned int usual = (unsigned int)item.number;
    float single = (float)item.real;
    if (!to)
        return 1;
    if (strchr("fFeEgGaA", c->kind))
        memcpy(to, c->is_long ? (void *)&item.real : (void *)&single, c->is_long ? sizeof item.real : sizeof single);
    else if (c->size == sizeof small)
        memcpy(to, &small, sizeof small);
    else if (c->size == sizeof medium)
        memcpy(to, &medium, sizeof medium);
    else if (c->size == sizeof usual)
        memcpy(to, &usual, sizeof usual);
    else
        memcpy(to, &item.number, sizeof item.number);
    return 1;
}

/* Takes a byte of a set: the byte, -1 at the end, -2 for another byte. A zero byte ends the input. */
static int quipu_take(const unsigned char *set)
{
    int byte = quipu_next_byte();
    if (byte <= 0)
        return -1;
    if (set[byte])
        return byte;
    quipu_give_back(byte);
    return -2;
}

static int quipu_scan_text(const struct quipu_conversion *c, char *to)
{
    int exact = c->kind == 'c';
    size_t length = 0, width = c->width ? c->width : exact ? 1 : (size_t)-1;
    for (; length < width; length++) {
        int byte = quipu_take(c->set);
        if (byte < 0 && (exact || length == 0))
            return byte == -1 || exact ? -1 : 0;
        if (byte < 0)
            break;
        if (to)
            to[length] = (char)byte;
    }
    if (to && !exact)
        to[length] = 0;
    return 1;
}

static int quipu_scan(const char *format, va_list *args)
{
    int stored = 0, converted = 0;
    while (*format) {
        int byte = (unsigned char)*format++;
        struct quipu_conversion c;
        if (quipu_is_space(byte))
            quipu_skip_space();
        if (byte != '%')
            continue;
        if (*format == '%') {
            format++;
            converted = 1;
            continue;
        }
        format = quipu_read_conversion(format, &c);
        if (c.kind == 's')
            quipu_skip_space();
        void *to = c.suppressed ? NULL : va_arg(*args, void *);
        int is_text = c.kind == 'c' || c.kind == 's' || c.kind == '[';
        int done = is_text ? quipu_scan_text(&c, to) : quipu_scan_number(&c, to);
        if (done < 0)
            return stored == 0 && !converted ? EOF : stored;
        if (done == 0)
            return stored;
        stored += !c.suppressed;
        converted = 1;
    }
    return stored;
}
