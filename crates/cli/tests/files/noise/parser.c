#include <stddef.h>

struct parser {
    const char *text;
    size_t pos, len;
};

static int at_end(const struct parser *p) { return p->pos >= p->len; }
static char peek(const struct parser *p) { return p->text[p->pos]; }
static int digit(char c) { return c - '0'; }

static int number(struct parser *p, int *out)
{
    int value = 0;
    while (!at_end(p) && peek(p) >= '0' && peek(p) <= '9') {
        value = value * 10 + digit(peek(p));
        p->pos++;
    }
    *out = value;
    return 1;
}

static int average(int sum, int n) { return sum / n; }

int parse_pair(const char *text, size_t len, int *mean)
{
    struct parser p = { text, 0, len };
    int a, b;
    if (text == NULL || mean == NULL)
        return 0;
    if (!number(&p, &a) || at_end(&p) || peek(&p) != ',')
        return 0;
    p.pos++;
    if (!number(&p, &b))
        return 0;
    *mean = average(a % 100 + b % 100, 2);
    return 1;
}
