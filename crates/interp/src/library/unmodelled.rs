//! Functions that the interpreter knows but cannot model: calling one stops the run instead of taking an
//! arbitrary result for its answer.

use super::{Call, Table};
use crate::outcome::{Fallible, unsupported};

macro_rules! table {
    ($($name:literal)*) => { &[$(($name, refuse),)*] };
}

pub(super) const FUNCTIONS: Table = table![
    "setjmp" "_setjmp" "sigsetjmp" "__sigsetjmp" "longjmp" "_longjmp" "siglongjmp" "__longjmp_chk"
    "fork" "vfork" "execv" "execve" "execvp" "execl" "execlp" "execle" "popen"
    "pthread_create" "pthread_join" "thrd_create" "thrd_join"
    "kill" "killpg" "sigqueue" "pthread_kill" "sigaction" "sigprocmask" "pthread_sigmask" "sigsuspend" "sigwait"
    "sysv_signal" "__sysv_signal" "bsd_signal" "siginterrupt" "sigblock" "sigsetmask" "sighold" "sigrelse" "sigset"
    "alarm" "ualarm" "setitimer" "timer_create" "timer_settime"
    "pthread_exit" "pthread_detach" "pthread_cancel" "pthread_once" "pthread_atfork" "thrd_exit" "thrd_detach" "call_once"
    "execvpe" "execveat" "fexecve" "posix_spawn" "posix_spawnp"
    "getcontext" "setcontext" "makecontext" "swapcontext" "dlclose" "dlvsym"
    "newlocale" "uselocale"
    "__cxa_atexit" "__cxa_thread_atexit"
    // Runs of the compiled program need the real ones.
    "syscall" "sigaltstack" "sigfillset" "mprotect"
    "getline" "getdelim" "__getdelim" "mmap" "munmap" "sbrk"
    "asprintf" "vasprintf" "freopen" "fseek" "ftell" "rewind" "tmpfile" "localeconv"
    "wcslen" "wcscpy" "wcscmp" "wprintf" "swprintf" "mbstowcs" "wcstombs" "mbtowc" "wctomb"
    "realpath" "strxfrm" "dlopen" "dlsym"
    // Floats are rounded to the nearest, exceptions of theirs leave no trace.
    "fesetround" "fegetround" "fesetenv" "fegetenv" "feupdateenv" "feholdexcept" "feenableexcept" "fedisableexcept"
    "feclearexcept" "feraiseexcept" "fetestexcept" "fegetexceptflag" "fesetexceptflag" "fesetmode" "fesetexcept"
];

/// Whether a call of this function stops a run, as nobody knows what it does.
pub(super) fn is_refused(source_name: &str) -> bool {
    FUNCTIONS.iter().any(|(name, _)| *name == super::plain(source_name))
}

fn refuse(call: &mut Call<'_, '_>) -> Fallible<u64> {
    unsupported(format!("the library function `{}`", call.function.source_name))
}
