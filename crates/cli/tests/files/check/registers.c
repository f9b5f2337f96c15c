/* Registers of a device, which nobody writes here. */
#include <assert.h>

volatile unsigned char status;
static volatile struct { unsigned short data, control; } port;

int ready(void)
{
    if (status & 1)
        assert((status & 0x80) == 0);
    return 0;
}

int data(void)
{
    return port.data < 512 ? port.data : 512;
}

int checked(void)
{
    int d = data();
    assert(d <= 512);
    assert(d != 300);
    return d;
}

int read_once(void)
{
    int d = port.data;
    d = d < 512 ? d : 512;
    assert(d <= 512);
    return d;
}
