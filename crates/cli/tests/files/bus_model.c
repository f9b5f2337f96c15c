int bus_is_busy(const void *bus)
{
    return bus ? 1 : 0;
}
