struct mixed {
    double narrow;
    long double wide;
};
struct mixed state;

int by_pointer(struct mixed *m) {
    if (m->narrow > 2)
        return 1;
    return 0;
}

int by_bytes(struct mixed *m) {
    unsigned char *bytes = (unsigned char *)&m->wide;
    if (bytes[9] == 64)
        return 1;
    return 0;
}

int global(int k) {
    state.narrow += k;
    if (state.narrow > 2)
        return 1;
    return 0;
}
