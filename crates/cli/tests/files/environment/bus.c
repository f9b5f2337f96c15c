/* Functions without a body write through what they are given. */
#include "met.h"
#include <stddef.h>

struct sample { short t; struct { unsigned p; float h; } rest; };
enum state { OFF, ON, FAIL = 7 };
union value { int i; float f; unsigned char b[4]; };
struct bits { unsigned a : 3, b : 5; signed c : 4; };
struct pair { int a; unsigned char b; };
struct device { int (*read)(struct device *, unsigned char reg, unsigned char *buf, unsigned len); int err; };
struct view { unsigned char *at; int n; };
struct inner { int k; };
struct outer { struct inner *in; };

int read_register(unsigned char reg, unsigned char *out);
int read_sample(struct sample *to);
long receive(int port, void *buf, size_t n, int flags);
_Bool ask_state(enum state *s);
int lookup(const char *key, const char **value);
int get_value(union value *v);
void get_bits(struct bits *bits);
struct pair get_pair(int n);
int next_number(int *out);
void scan(unsigned char (*rows)[4], int n);
void keep(int *p);
void poll_all(void);
void fill(struct view v);
void update(struct outer *o);
int parse(const char *s, const char *format, ...);
void peek(const int *p);

int byte(void)
{
    unsigned char id = 0;
    if (read_register(0xD0, &id))
        return -1;
    if (id == 0x60)
        MET; // covered
    return 0;
}

int members(void)
{
    struct sample s = {0};
    if (read_sample(&s) != 0)
        return -1;
    if (s.rest.p == 70000u && s.t < -5)
        MET; // covered
    return 0;
}

int buffer(int port)
{
    unsigned char b[12] = {0};
    if (receive(port, b, sizeof b, 0) < 4)
        return -1;
    if (b[0] == 0xAA && b[3] == 0x55)
        MET; // covered
    return 0;
}

int enumerators(void)
{
    enum state s = OFF;
    if (!ask_state(&s))
        return -1;
    switch (s) {
    case OFF:
        return 0;
    case FAIL:
        MET; // covered
    default:
        return 2;
    }
}

int text(void)
{
    const char *v = 0;
    if (lookup("k", &v))
        return -1;
    if (v && v[0] == 'q')
        MET; // covered
    return 0;
}

int overlay(void)
{
    union value v = {0};
    if (get_value(&v))
        return -1;
    if (v.b[2] == 9 && v.i > 0)
        MET; // covered
    return 0;
}

int narrow(void)
{
    struct bits v = {0, 0, 0};
    get_bits(&v);
    if (v.b == 17 && v.c == -3)
        MET; // covered
    return 0;
}

int returned(void)
{
    struct pair p = get_pair(4);
    if (p.a == 5 && p.b == 6)
        MET; // covered
    return 0;
}

int again(void)
{
    int v, n = 0, sum = 0;
    while (n < 5 && next_number(&v)) {
        sum += v & 0xffff;
        n++;
    }
    if (n == 3 && sum == 1000)
        MET; // covered
    return 0;
}

int rows(void)
{
    unsigned char m[3][4] = {{0}};
    scan(m, 3);
    if (m[2][3] == 200)
        MET; // covered
    return 0;
}

int through_a_member(struct device *d)
{
    unsigned char b[2] = {0};
    if (!d || !d->read || d->read(d, 0x88, b, 2))
        return -1;
    if ((b[1] << 8 | b[0]) == 0x6D2B && d->err == 4)
        MET; // covered
    return 0;
}

int given_before(void)
{
    int x = 1;
    keep(&x);
    x = 2;
    poll_all();
    if (x == 9)
        MET; // excluded
    return 0;
}

int given_before_by_some(int k)
{
    static int once;
    if (k == 3)
        keep(&once);
    once = 1;
    poll_all();
    if (once == 5)
        MET; // excluded
    return 0;
}

int by_value(void)
{
    unsigned char b[3] = {0};
    struct view v = {b, 3};
    fill(v);
    if (b[1] == 8)
        MET; // excluded
    return 0;
}

int behind_a_member(void)
{
    struct inner i = {1};
    struct outer o = {&i};
    update(&o);
    if (i.k == 6)
        MET; // excluded
    return 0;
}

int variadic(const char *s)
{
    int a = 0;
    if (parse(s, "%d", &a) != 1)
        return -1;
    if (a == 12)
        MET; // excluded
    return 0;
}

int constant(void)
{
    int x = 1;
    peek(&x);
    if (x != 1)
        MET; // excluded
    return 0;
}
