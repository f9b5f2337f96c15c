#include <stdint.h>
#include <stddef.h>

enum { REG_ID = 0xD0, REG_CTRL = 0xF4, CHIP_ID = 0x60, N_MODES = 4 };

struct sensor {
    int (*read)(uint8_t reg, uint8_t *data, uint32_t len, void *bus);
    int (*write)(uint8_t reg, uint8_t value, void *bus);
    void *bus;
    uint8_t id;
    uint8_t mode;
    int16_t offset;
    uint32_t errors;
};

static const uint8_t mode_bits[N_MODES] = { 0, 1, 3, 7 };

static int check_id(const struct sensor *dev)
{
    return dev->id == CHIP_ID ? 0 : -2;
}

static uint8_t bits_of(unsigned mode)
{
    return mode_bits[mode];
}

int sensor_init(struct sensor *dev)
{
    int rc = dev->read(REG_ID, &dev->id, 1, dev->bus);
    if (rc != 0) {
        dev->errors++;
        return rc;
    }
    return check_id(dev);
}

int sensor_set_mode(struct sensor *dev, unsigned mode)
{
    if (mode >= N_MODES)
        return -1;
    dev->mode = (uint8_t)mode;
    return dev->write(REG_CTRL, bits_of(mode), dev->bus);
}

int sensor_scale(const struct sensor *dev, int raw, int divisor)
{
    return (raw % 1000 + dev->offset) / divisor;
}

int sensor_try(struct sensor *dev)
{
    if (dev == NULL)
        return -1;
    return dev->mode;
}

int sensor_peek(struct sensor *dev, int flag)
{
    if (flag && dev == NULL)
        return -1;
    return dev->mode;
}

int sensor_broken(void)
{
    return sensor_try(NULL) + sensor_init(NULL);
}

uint8_t raw_bits(unsigned mode)
{
    return mode_bits[mode];
}
