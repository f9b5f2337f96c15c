int twice(int);
int main(int argc, char **argv) { return twice(argc) + (argv[argc] == 0) + WORD; }
