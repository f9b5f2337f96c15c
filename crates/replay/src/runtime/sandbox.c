/* Limits, signals, and a filter of system calls under which nothing of the user's can be harmed. */

static char *stack_top;
static word stack_limit;
static char signal_stack[65536];

static int set_limit(int which, word most)
{
#ifdef SYS_prlimit64
    struct { uint64_t soft, hard; } now, wanted;
    if (syscall(SYS_prlimit64, 0, which, 0, &now))
        return -1;
    wanted.hard = now.hard;
    wanted.soft = most < now.hard ? most : now.hard;
    return (int)syscall(SYS_prlimit64, 0, which, &wanted, 0);
#else
    struct rlimit limit = { most, most };
    return setrlimit(which, &limit);
#endif
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    char *at = info->si_addr;
    if (number == SIGALRM || number == SIGXCPU)
        __quipu_end(TIMEOUT, 0);
    if (number == SIGSYS)
        __quipu_end(BLOCKED, (word)info->si_errno);
    if (number == SIGXFSZ)
        __quipu_end(BLOCKED, 1);
    if (number == SIGSEGV && at < stack_top && (word)(stack_top - at) > stack_limit - (1 << 18)
        && (word)(stack_top - at) < stack_limit + (1 << 24))
        __quipu_end(STACK, 0);
    __quipu_end(SIGNAL, (word)number);
}

static void catch_signals(void)
{
    static const int numbers[] = {
#ifndef QUIPU_SANITIZED /* These are reported by the sanitizer, with their place. */
        SIGSEGV, SIGBUS, SIGFPE, SIGILL,
#endif
        SIGTRAP, SIGABRT, SIGSYS, SIGALRM, SIGXCPU, SIGXFSZ, SIGPIPE, SIGTERM
    };
    stack_t stack = { .ss_sp = signal_stack, .ss_size = sizeof signal_stack };
    sigaltstack(&stack, 0);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    for (unsigned n = 0; n < sizeof numbers / sizeof *numbers; n++)
        sigaction(numbers[n], &action, 0);
}

static void limit_resources(void)
{
    char here;
    stack_top = &here;
    stack_limit = (word)64 << 20;
    set_limit(RLIMIT_STACK, stack_limit);
#ifndef QUIPU_SANITIZED /* Sanitizers reserve terabytes. */
    set_limit(RLIMIT_AS, shared[SPACE]);
#endif
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, (word)1 << 28);
    set_limit(RLIMIT_CPU, shared[TIME] / 1000000 + 1);
    struct itimerval timer;
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = (time_t)(shared[TIME] / 1000000);
    timer.it_value.tv_usec = (suseconds_t)(shared[TIME] % 1000000);
#ifdef SYS_setitimer
    syscall(SYS_setitimer, ITIMER_REAL, &timer, 0);
#else
    setitimer(ITIMER_REAL, &timer, 0);
#endif
}

#ifdef __linux__
#if defined(__x86_64__)
#define THIS_MACHINE AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define THIS_MACHINE AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define THIS_MACHINE AUDIT_ARCH_ARM
#endif
#endif

#ifdef THIS_MACHINE
/* Why a call is stopped; `ending.rs` has the same list. */
enum { WRITES_FILE = 1, CHANGES_FILES, STARTS_PROCESS, RUNS_PROGRAM, SENDS_SIGNAL, USES_NETWORK, CHANGES_SYSTEM };

static struct sock_filter filter[512];
static unsigned short filter_length;

static void add(unsigned short code, unsigned char yes, unsigned char no, unsigned k)
{
    struct sock_filter step = { code, yes, no, k };
    filter[filter_length++] = step;
}

static void load(unsigned offset) { add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset); }
static void answer(unsigned what) { add(BPF_RET | BPF_K, 0, 0, what); }
static unsigned argument(unsigned n) { return (unsigned)offsetof(struct seccomp_data, args) + 8 * n; }

/* Stops a call, whatever its arguments. The accumulator holds the number of the call. */
static void stop(long number, unsigned why)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)number);
    answer(SECCOMP_RET_TRAP | why);
}

/* Answers a call by whether its argument has one of the bits. */
static void by_bits(long number, unsigned n, unsigned bits, unsigned with, unsigned without)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (unsigned)number);
    load(argument(n));
    add(BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
    answer(with);
    answer(without);
}

/* Stops a call unless its argument is this one. */
static void stop_unless(long number, unsigned n, unsigned value, unsigned why)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (unsigned)number);
    load(argument(n));
    add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value);
    answer(SECCOMP_RET_TRAP | why);
    answer(SECCOMP_RET_ALLOW);
}

static void stop_all(const long *numbers, unsigned count, unsigned why)
{
    for (unsigned n = 0; n < count; n++)
        stop(numbers[n], why);
}

static const long changes_files[] = {
    SYS_unlinkat, SYS_renameat2, SYS_mkdirat, SYS_linkat, SYS_symlinkat, SYS_mknodat, SYS_truncate, SYS_ftruncate,
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_fallocate,
    SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_unlink
    SYS_unlink, SYS_rename, SYS_mkdir, SYS_rmdir, SYS_link, SYS_symlink, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown,
    SYS_utime, SYS_utimes, SYS_futimesat,
#endif
#ifdef SYS_truncate64
    SYS_truncate64, SYS_ftruncate64,
#endif
};
static const long starts_process[] = {
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
    SYS_unshare, SYS_setns
};
static const long runs_program[] = { SYS_execve, SYS_execveat };
static const long uses_network[] = {
    SYS_socket, SYS_connect, SYS_bind, SYS_listen,
#ifdef SYS_socketcall
    SYS_socketcall,
#endif
};
static const long changes_system[] = {
    SYS_ptrace, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_reboot, SYS_swapon, SYS_swapoff,
    SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_kexec_load, SYS_process_vm_writev, SYS_bpf, SYS_perf_event_open, SYS_keyctl,
    SYS_quotactl, SYS_acct,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
#endif
};

#define STOP_ALL(list, why) stop_all(list, sizeof list / sizeof *list, why)

static void build_filter(unsigned process)
{
    load(offsetof(struct seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, THIS_MACHINE);
    answer(SECCOMP_RET_TRAP | CHANGES_SYSTEM);
    load(offsetof(struct seccomp_data, nr));
    /* There is no file to read: the interpreter's file system is empty, too. */
    unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
    unsigned stopped = SECCOMP_RET_TRAP | WRITES_FILE, missing = SECCOMP_RET_ERRNO | ENOENT;
#ifdef QUIPU_SANITIZED /* Reports are written with the names and lines that stand in the program itself. */
    missing = SECCOMP_RET_ALLOW;
#endif
#ifdef SYS_open
    by_bits(SYS_open, 1, writing, stopped, missing);
    stop(SYS_creat, WRITES_FILE);
#endif
    by_bits(SYS_openat, 2, writing, stopped, missing);
#ifdef SYS_openat2
    stop(SYS_openat2, WRITES_FILE);
#endif
    by_bits(SYS_clone, 0, 0x10000 /* CLONE_THREAD */, SECCOMP_RET_ALLOW, SECCOMP_RET_TRAP | STARTS_PROCESS);
#ifdef SYS_clone3
    /* Its flags cannot be seen; the C library falls back to clone. */
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_clone3);
    answer(SECCOMP_RET_ERRNO | ENOSYS);
#endif
    stop_unless(SYS_kill, 0, process, SENDS_SIGNAL);
    stop_unless(SYS_tgkill, 0, process, SENDS_SIGNAL);
    stop_unless(SYS_tkill, 0, process, SENDS_SIGNAL);
    stop_unless(SYS_rt_sigqueueinfo, 0, process, SENDS_SIGNAL);
    STOP_ALL(changes_files, CHANGES_FILES);
    STOP_ALL(starts_process, STARTS_PROCESS);
    STOP_ALL(runs_program, RUNS_PROGRAM);
    STOP_ALL(uses_network, USES_NETWORK);
    STOP_ALL(changes_system, CHANGES_SYSTEM);
    answer(SECCOMP_RET_ALLOW);
}

static void filter_calls(void)
{
    build_filter((unsigned)syscall(SYS_getpid));
    struct sock_fprog program = { filter_length, filter };
    syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
        set_limit(RLIMIT_NPROC, 0);
}
#else
static void filter_calls(void) { set_limit(RLIMIT_NPROC, 0); }
#endif
