/*
 * Functions behind pointers: a table of commands, a stack machine, and observers with a context.
 *
 * Out of reach:
 *   run_command      `handler == NULL` for a command below COMMANDS: the table has no gaps but number 3; so `true` is
 *                    reached with 3 only.
 *   run_program      `machine.depth < 0` behind an operation: operations check the depth themselves.
 *   notify           nothing.
 *   apply_twice      `f != double_it && f != negate && f != saturate` is reached only if callers pass other functions.
 */
#include <stddef.h>
#include <stdint.h>

#define COMMANDS 5
#define STACK 8

struct machine {
    int stack[STACK];
    int depth;
    int error;
};

typedef void (*operation)(struct machine *machine);

static void op_push_one(struct machine *machine)
{
    if (machine->depth >= STACK)
        machine->error = 1;
    else
        machine->stack[machine->depth++] = 1;
}

static void op_double(struct machine *machine)
{
    if (machine->depth < 1)
        machine->error = 2;
    else
        machine->stack[machine->depth - 1] *= 2;
}

static void op_add(struct machine *machine)
{
    if (machine->depth < 2) {
        machine->error = 2;
        return;
    }
    machine->depth--;
    machine->stack[machine->depth - 1] += machine->stack[machine->depth];
}

static void op_drop(struct machine *machine)
{
    if (machine->depth < 1)
        machine->error = 2;
    else
        machine->depth--;
}

static const operation operations[COMMANDS] = {op_push_one, op_double, op_add, NULL, op_drop};

int run_command(struct machine *machine, unsigned command)
{
    operation handler;
    if (command >= COMMANDS)
        return -1;
    handler = operations[command];
    if (handler == NULL)
        return -2;
    if (machine->depth < 0 || machine->depth > STACK)
        return -3;
    handler(machine);
    return machine->error;
}

/* Runs a program of command numbers; the result is the top of the stack. */
int run_program(const uint8_t *code, size_t length)
{
    struct machine machine = {{0}, 0, 0};
    for (size_t i = 0; i < length; i++) {
        if (code[i] >= COMMANDS || operations[code[i]] == NULL)
            return -1;
        operations[code[i]](&machine);
        if (machine.depth < 0)
            return -9;
        if (machine.error != 0)
            return -2;
    }
    return machine.depth > 0 ? machine.stack[machine.depth - 1] : 0;
}

static int double_it(int x)
{
    return x > 1000 ? 2000 : x * 2;
}

static int negate(int x)
{
    return x == INT32_MIN ? INT32_MAX : -x;
}

static int saturate(int x)
{
    return x > 100 ? 100 : x < -100 ? -100 : x;
}

int (*choose(char name))(int)
{
    switch (name) {
    case 'd':
        return double_it;
    case 'n':
        return negate;
    case 's':
        return saturate;
    default:
        return NULL;
    }
}

int apply_twice(char name, int x)
{
    int (*f)(int) = choose(name);
    if (f == NULL)
        return 0;
    if (f != double_it && f != negate && f != saturate)      /* out of reach: `choose` gives no other */
        return -1;
    x = f(f(x));
    if (f == saturate && x > 100)                            /* out of reach */
        return -2;
    return x;
}

struct observer {
    int (*call)(void *context, int event);
    void *context;
};

/* Tells all observers; the first that answers is the result. */
int notify(const struct observer *observers, size_t count, int event)
{
    for (size_t i = 0; i < count; i++) {
        int answer;
        if (observers[i].call == NULL)
            continue;
        answer = observers[i].call(observers[i].context, event);
        if (answer != 0)
            return answer;
    }
    return 0;
}
