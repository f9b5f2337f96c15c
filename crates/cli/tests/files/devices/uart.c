/* A driver in the style of CMSIS: registers behind a constant address. */
#include <stdint.h>

#define __IO volatile
typedef struct { __IO uint32_t SR, DR, BRR, CR1; } USART_TypeDef;
#define USART1_BASE 0x40011000u
#define USART1 ((USART_TypeDef *)USART1_BASE)
#define USART2 ((USART_TypeDef *)0x40004400u)

int send(uint8_t c, int timeout)
{
    while (!(USART1->SR & 0x80u))
        if (timeout-- <= 0)
            return -1;
    USART1->DR = c;
    return 0;
}

int receive(void)
{
    uint32_t status = USART1->SR;
    if (status & 0x0fu) {
        (void)USART1->DR;
        return -2;
    }
    if (!(status & 0x20u))
        return -1;
    return (int)(USART1->DR & 0xffu);
}

/* One status is read twice: both branches can be taken in any combination. */
int flags(void)
{
    int n = 0;
    if (USART1->SR & 1)
        n += 1;
    if (USART1->SR & 1)
        n += 2;
    return n == 2;
}

static USART_TypeDef *const ports[] = { USART1, USART2 };

int ready(int port)
{
    if (port < 0 || port > 1)
        return -1;
    return ports[port]->SR & 0x40 ? 1 : 0;
}

static int wait_for(volatile uint32_t *reg, uint32_t mask, int turns)
{
    while (!(*reg & mask))
        if (turns-- == 0)
            return 0;
    return 1;
}

int both(void)
{
    if (wait_for(&USART1->SR, 0x80, 2) && wait_for(&USART2->SR, 1, 0))
        return 1;
    return 0;
}

/* Addresses computed from numbers that are passed on. */
static uint32_t get(uint32_t base, int offset)
{
    return *(volatile uint32_t *)(uintptr_t)(base + offset);
}

int identify(void)
{
    if (get(0x50000000u, 12) == 0x1234)
        return 1;
    return 0;
}

/* The pointer is null, and stays so. */
int nothing(int k)
{
    if (k)
        return *(volatile int *)0;
    return 1;
}

typedef struct { USART_TypeDef *Instance; int state; } Handle;

/* Which device a handle is for. */
int number_of(Handle *handle)
{
    if (!handle)
        return -1;
    if (handle->Instance == USART1)
        return 1;
    if (handle->Instance == USART2)
        return 2;
    if (handle->Instance && handle->Instance->SR & 4)
        return 3;
    return handle->state == 5 ? 4 : 0;
}
