#include <stdint.h>
#include <stddef.h>

/* A sensor behind a bus that other files drive. */
int bus_read(uint8_t reg, uint8_t *buf, size_t len);
int bus_is_busy(const void *bus);
void log_line(const char *format, ...);

struct reading {
    int16_t temperature;
    uint8_t status;
};

int sensor_read(struct reading *out)
{
    uint8_t raw[3];
    int error = bus_read(0x10, raw, sizeof raw);
    if (error != 0) {
        log_line("bus: %d", error);
        return -1;
    }
    if (raw[2] & 0x80)
        return -2;
    out->temperature = (int16_t)(raw[0] << 8 | raw[1]);
    out->status = raw[2];
    return out->temperature > 1000;
}

int sensor_wait(const void *bus)
{
    int busy = bus_is_busy(bus);
    if (busy < 0)
        return -1;
    return busy == 1;
}
