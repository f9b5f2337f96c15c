/* The end of the program, and signals: what the program registers is kept here, not in the C library, so that a run
   calls just that, and in the order in which it counts. A function of the user's program wins. */

typedef void plain_handler(void);
typedef void status_handler(int, void *);
typedef void signal_handler(int);

/* The program ended itself, by a signal that it raised; `lib.rs` has the same number. */
enum { RAISED = 256 };

struct ending { plain_handler *plain; status_handler *with_status; void *argument; };

static struct ending endings[4096];
static unsigned ending_count;
static plain_handler *quick_endings[4096];
static unsigned quick_count;
static signal_handler *handlers[65];
static unsigned char handling[65];

/* Whether the run starts where the program starts, so that its constructors and destructors belong to it. */
extern const unsigned char __quipu_starts[];
static int is_program;

WEAK int atexit(plain_handler *handler)
{
    if (ending_count == sizeof endings / sizeof *endings)
        return -1;
    endings[ending_count++] = (struct ending){ handler, 0, 0 };
    return 0;
}

WEAK int on_exit(status_handler *handler, void *argument)
{
    if (ending_count == sizeof endings / sizeof *endings)
        return -1;
    endings[ending_count++] = (struct ending){ 0, handler, argument };
    return 0;
}

WEAK int at_quick_exit(plain_handler *handler)
{
    if (quick_count == sizeof quick_endings / sizeof *quick_endings)
        return -1;
    quick_endings[quick_count++] = handler;
    return 0;
}

#ifdef __linux__
extern plain_handler *__fini_array_start[] __attribute__((visibility("hidden")));
extern plain_handler *__fini_array_end[] __attribute__((visibility("hidden")));

static void call_destructors(void)
{
    static plain_handler **left;
    if (!left)
        left = __fini_array_end;
    while (left > __fini_array_start)
        (*--left)();
}
#else
static void call_destructors(void) { }
#endif

static void call_endings(int status)
{
    while (ending_count) {
        struct ending last = endings[--ending_count];
        if (last.plain)
            last.plain();
        else
            last.with_status(status, last.argument);
    }
    if (is_program)
        call_destructors();
}

WEAK void exit(int status)
{
    call_endings(status);
    leave_process(status);
}

WEAK void quick_exit(int status)
{
    while (quick_count)
        quick_endings[--quick_count]();
    leave_process(status);
}

WEAK signal_handler *signal(int number, signal_handler *handler)
{
    if (number < 1 || number > 64 || number == SIGKILL || number == SIGSTOP || number == 32 || number == 33) {
        errno = EINVAL;
        return SIG_ERR;
    }
    signal_handler *before = handlers[number];
    handlers[number] = handler;
    return before;
}

static void handle(int number)
{
    handling[number] = 1;
    handlers[number](number);
    handling[number] = 0;
}

WEAK int raise(int number)
{
    if (number < 1 || number > 64) {
        errno = EINVAL;
        return -1;
    }
    if (handlers[number] != SIG_DFL && handlers[number] != SIG_IGN && !handling[number])
        handle(number);
    else if (handlers[number] == SIG_DFL && number != SIGCHLD && number != SIGCONT && number != SIGURG
             && number != SIGWINCH)
        __quipu_end(SIGNAL, RAISED);
    return 0;
}

WEAK void abort(void)
{
    if (handlers[SIGABRT] != SIG_DFL && handlers[SIGABRT] != SIG_IGN && !handling[SIGABRT])
        handle(SIGABRT);
    __quipu_end(SIGNAL, RAISED);
    __builtin_unreachable();
}

/* Programs stay in the "C" locale; what depends on another one is not predicted. */
WEAK char *setlocale(int category, const char *name) { return "C"; }
