/* What stands at a fixed address is a device. */
#include "met.h"
#include <stdint.h>

typedef struct { volatile unsigned SR, DR; } USART_T;
#define USART ((USART_T *)0x40011000u)
#define REG8(a) (*(volatile uint8_t *)(uintptr_t)(a))
struct gpio { volatile const unsigned IN; volatile unsigned OUT; };
static struct gpio *const ports[2] = {(struct gpio *)0x50000000u, (struct gpio *)0x50000400u};
struct timer { volatile unsigned short SR, CNT; };
struct calibration { unsigned id; };
static unsigned base = 0x48000000u;
static int ticks;

int polled(void)
{
    int n = 0;
    while (!(USART->SR & 1))
        if (++n > 3)
            return -1;
    if (USART->DR == 'x')
        MET; // covered
    return 0;
}

int computed(unsigned port)
{
    if (port > 3)
        return -1;
    if (REG8(0x40020010u + 4 * port) == 0x81)
        MET; // covered
    return 0;
}

int table(int k)
{
    if (k < 0 || k > 1)
        return -1;
    ports[k]->OUT = 3;
    if (ports[k]->IN == 0x8000 && ports[k]->OUT == 4)
        MET; // covered
    return 0;
}

static unsigned short count(struct timer *t)
{
    return t->CNT;
}

int handler(void)
{
    struct timer *t = (struct timer *)0x40000000u;
    if (!(t->SR & 1))
        return 0;
    t->SR = 0;
    ticks = 1;
    if (count(t) != count(t))
        MET; // covered
    return ticks;
}

int not_volatile(void)
{
    const struct calibration *c = (const struct calibration *)0x1FFF7A10u;
    if (c->id == 77)
        MET; // covered
    return 0;
}

int from_a_variable(int k)
{
    if (k < 0 || k > 2)
        return -1;
    if (*(volatile unsigned long long *)(uintptr_t)(base + (unsigned)k * 0x400u) == 1ull << 40)
        MET; // covered
    return 0;
}

int function(int x)
{
    int (*rom)(int) = (int (*)(int))0x1FFF0001u;
    if (rom(x) == 4)
        MET; // gave-up
    return 0;
}
