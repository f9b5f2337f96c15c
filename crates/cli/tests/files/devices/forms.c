/* All ways in which volatile objects are read: widths, bit-fields, copies, operators. */
#include <stdbool.h>
#include <stdint.h>

typedef struct { volatile uint32_t MODER; volatile uint16_t IDR, ODR; volatile uint8_t LOCK; } GPIO_TypeDef;
#define GPIO(n) ((GPIO_TypeDef *)(uintptr_t)(0x48000000u + 0x400u * (n)))
typedef union {
    struct { uint32_t en : 1, mode : 2, : 5, count : 8; int32_t level : 4; } bit;
    uint32_t reg;
} Control;
#define CONTROL (*(volatile Control *)0x50001000u)
struct descriptor { uint32_t address; uint16_t length; uint8_t status, more; };
static volatile struct descriptor ring[2];
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))

volatile int v, w;
const volatile int fixed = 3;
volatile float f;
volatile bool b;
volatile unsigned tab[8];
static int shared;

int toggle(unsigned n)
{
    if (n > 3)
        return -1;
    GPIO(n)->MODER |= 1u << 4;
    if (GPIO(n)->IDR & 1)
        GPIO(n)->ODR ^= 1;
    if (GPIO(n)->LOCK == 300)
        return 7;
    return GPIO(n)->LOCK == 0xaa ? 1 : 0;
}

int fields(void)
{
    if (CONTROL.bit.en && CONTROL.bit.mode == 2) {
        CONTROL.bit.count = 9;
        CONTROL.bit.mode++;
        if (CONTROL.bit.count == 200)
            return 1;
        if (CONTROL.bit.level == -3)
            return 2;
    }
    if (CONTROL.bit.mode > 3)
        return 3;
    return CONTROL.reg == 0xdeadbeef ? 4 : 0;
}

int descriptor(int n)
{
    struct descriptor d = ring[n & 1];
    if (d.status == 2 && d.length > 1000) {
        ring[n & 1].status = 0;
        if (ring[n & 1].status)
            return 2;
        return 1;
    }
    return 0;
}

int twice(void)
{
    int x = v, y = v;
    if (x != y)
        return 1;
    if (fixed == 4)
        return 2;
    return 0;
}

int operators(void)
{
    v += w;
    tab[v & 7] ^= tab[w & 7];
    if (tab[2]++ == 6 && ++tab[2] == 9)
        return 1;
    if (v - w == 5)
        return 2;
    if (f > 1.5f && b)
        return 3;
    return sizeof(v) == 4 ? tab[tab[0] & 7] == 5 : 0;
}

int once(void)
{
    int x = READ_ONCE(shared);
    if (x != READ_ONCE(shared))
        return 1;
    shared = 7;
    if (shared != 7)
        return 2;
    return 0;
}

int choose(void)
{
    switch (v) {
    case 1:
        return 10;
    case 77:
        return w ? 1 : 2;
    default:
        return 0;
    }
}

int wide(void)
{
    if (*(volatile uint64_t *)0x2000bff8u > 0x123456789abcull)
        return 1;
    return 0;
}

/* What is not volatile stays as it was written. */
int kept(void)
{
    uint32_t *cell = (uint32_t *)0x20000000u;
    if (*cell == 0xcafebabeu)
        return 1;
    *(uint32_t *)0x20000000u = 5;
    if (*(uint32_t *)0x20000000u != 5)
        return 2;
    return 0;
}
