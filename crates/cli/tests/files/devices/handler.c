/* Interrupt handlers, a counter that they share with the program, and the timer of the system. */
#include <stdint.h>

typedef struct { volatile uint32_t SR, CR, DR; } TIM_TypeDef;
#define TIM2 ((TIM_TypeDef *)0x40000000u)
#define SYST_CSR (*(volatile uint32_t *)0xe000e010)
#define SYST_CVR (*(volatile uint32_t *)0xe000e018)

static volatile uint8_t ring[4];
static volatile unsigned head;
static volatile uint32_t ticks;
volatile int stop;

void TIM2_IRQHandler(void)
{
    if ((TIM2->SR & 0x20) && (TIM2->CR & 0x20)) {
        ring[head & 3] = (uint8_t)TIM2->DR;
        head++;
    }
    if (TIM2->SR & 0x08)
        TIM2->SR &= ~0x08u;
}

void SysTick_Handler(void)
{
    ticks++;
}

int elapsed(uint32_t since)
{
    return ticks - since > 100;
}

/* A counter of two halves is read until it does not change. */
uint32_t stable(void)
{
    uint32_t a, b;
    do {
        a = SYST_CVR;
        b = SYST_CVR;
    } while (a != b);
    if (!(SYST_CSR & 0x10000))
        return 0;
    return a;
}

/* Who sets the flag is not here. */
int until_stopped(void)
{
    int n = 0;
    stop = 0;
    while (!stop)
        if (++n == 3)
            return -1;
    return n;
}

/* Nobody else knows of the variable. */
int alone(void)
{
    volatile int x = 3;
    if (x != 3)
        return 1;
    return 0;
}

static int look(volatile int *p)
{
    return *p;
}

/* Here somebody does. */
int given_away(void)
{
    volatile int x = 3;
    if (look(&x) != 3)
        return 1;
    return 0;
}
