/* A callback whose type no function of the program has. */
int ask(int (*answer)(int), int x)
{
    if (!answer)
        return -1;
    if (answer(x) == 42) {
        if (answer(x) == 7)
            return 2;
        return 1;
    }
    return 0;
}

/* A pointer that a callback returns is null, or leads to a string. */
int named(char *(*name)(const char *, float), const char *text)
{
    if (name && name(text, 1.5f))
        return 1;
    return 0;
}

/* A callback without arguments can change what others see only by calling them. */
static int level;

int notified(void (*done)(void), int x)
{
    level = x;
    if (done)
        done();
    if (level != x)
        return 1;
    return 0;
}

/* Whoever passes null makes the call undefined. */
double twice(double (*f)(double), double x)
{
    return f(f(x)) > 0.0 ? 1.0 : 0.0;
}
