//! Functions that the interpreter knows but cannot model: calling one stops the run instead of taking an
//! arbitrary result for its answer.

use super::{Call, Table};
use crate::outcome::{Fallible, unsupported};

macro_rules! table {
    ($($name:literal)*) => { &[$(($name, refuse),)*] };
}

pub(super) const FUNCTIONS: Table = table![
    "setjmp" "_setjmp" "sigsetjmp" "__sigsetjmp" "longjmp" "_longjmp" "siglongjmp" "__longjmp_chk"
    "fork" "vfork" "execv" "execve" "execvp" "execl" "execlp" "execle" "system" "popen"
    "pthread_create" "pthread_join" "thrd_create" "thrd_join"
    "raise" "kill" "signal" "sigaction" "alarm"
    "getline" "getdelim" "__getdelim" "mmap" "munmap" "sbrk"
    "localtime" "localtime_r" "gmtime" "gmtime_r" "mktime" "strftime" "asctime" "ctime"
    "asprintf" "vasprintf" "freopen" "fseek" "ftell" "rewind" "tmpfile" "setlocale" "localeconv"
    "wcslen" "wcscpy" "wcscmp" "wprintf" "swprintf" "mbstowcs" "wcstombs" "mbtowc" "wctomb"
    "realpath" "strxfrm" "dlopen" "dlsym"
    // Floats are rounded to the nearest, exceptions of theirs leave no trace.
    "fesetround" "fegetround" "fesetenv" "fegetenv" "feupdateenv" "feholdexcept" "feenableexcept" "fedisableexcept"
    "feclearexcept" "feraiseexcept" "fetestexcept" "fegetexceptflag" "fesetexceptflag" "fesetmode" "fesetexcept"
];

fn refuse(call: &mut Call<'_, '_>) -> Fallible<u64> {
    unsupported(format!("the library function `{}`", call.function.source_name))
}
