//! How library functions are declared: names, and the kinds of parameters and results.

use quipu_ir::Ty;

use super::Call;
use crate::symbol::Symbol;

/// The kinds of parameters (`p` a pointer, `n` an integer) and of the result (`f` a float, `-` none) of the functions
/// whose models rely on them. More parameters may follow: those of glibc's checking variants.
const SIGNATURES: [(&str, &str, char); 117] = [
    ("exit", "n", '-'),
    ("quick_exit", "n", '-'),
    ("atexit", "p", 'n'),
    ("quipu_at_end", "p", '-'),
    ("on_exit", "pp", 'n'),
    ("at_quick_exit", "p", 'n'),
    ("signal", "np", 'p'),
    ("raise", "n", 'n'),
    ("setlocale", "np", 'p'),
    ("quipu_claim", "nn", '-'),
    ("__VERIFIER_assert", "n", '-'),
    ("malloc", "n", 'p'),
    ("calloc", "nn", 'p'),
    ("realloc", "pn", 'p'),
    ("reallocarray", "pnn", 'p'),
    ("free", "p", '-'),
    ("cfree", "p", '-'),
    ("time", "p", 'n'),
    ("memcpy", "ppn", 'p'),
    ("mempcpy", "ppn", 'p'),
    ("memmove", "ppn", 'p'),
    ("bcopy", "ppn", '-'),
    ("memset", "pnn", 'p'),
    ("bzero", "pn", '-'),
    ("explicit_bzero", "pn", '-'),
    ("memcmp", "ppn", 'n'),
    ("bcmp", "ppn", 'n'),
    ("memchr", "pnn", 'p'),
    ("memrchr", "pnn", 'p'),
    ("strlen", "p", 'n'),
    ("strnlen", "pn", 'n'),
    ("strcpy", "pp", 'p'),
    ("stpcpy", "pp", 'p'),
    ("strncpy", "ppn", 'p'),
    ("strcat", "pp", 'p'),
    ("strncat", "ppn", 'p'),
    ("strdup", "p", 'p'),
    ("strndup", "pn", 'p'),
    ("strcmp", "pp", 'n'),
    ("strcoll", "pp", 'n'),
    ("strncmp", "ppn", 'n'),
    ("strcasecmp", "pp", 'n'),
    ("strncasecmp", "ppn", 'n'),
    ("strchr", "pn", 'p'),
    ("index", "pn", 'p'),
    ("strchrnul", "pn", 'p'),
    ("strrchr", "pn", 'p'),
    ("rindex", "pn", 'p'),
    ("strstr", "pp", 'p'),
    ("strspn", "pp", 'n'),
    ("strcspn", "pp", 'n'),
    ("strpbrk", "pp", 'p'),
    ("strtok", "pp", 'p'),
    ("strtok_r", "ppp", 'p'),
    ("strsep", "pp", 'p'),
    ("abs", "n", 'n'),
    ("labs", "n", 'n'),
    ("llabs", "n", 'n'),
    ("imaxabs", "n", 'n'),
    ("div", "pnn", '-'),
    ("ldiv", "pnn", '-'),
    ("lldiv", "pnn", '-'),
    ("imaxdiv", "pnn", '-'),
    ("atoi", "p", 'n'),
    ("atol", "p", 'n'),
    ("atoll", "p", 'n'),
    ("strtol", "ppn", 'n'),
    ("strtoll", "ppn", 'n'),
    ("strtoimax", "ppn", 'n'),
    ("strtoul", "ppn", 'n'),
    ("strtoull", "ppn", 'n'),
    ("strtoumax", "ppn", 'n'),
    ("atof", "p", 'f'),
    ("strtod", "pp", 'f'),
    ("strtof", "pp", 'f'),
    ("qsort", "pnnp", '-'),
    ("bsearch", "ppnnp", 'p'),
    ("puts", "p", 'n'),
    ("fputs", "p", 'n'),
    ("fputs_unlocked", "p", 'n'),
    ("putchar", "n", 'n'),
    ("putchar_unlocked", "n", 'n'),
    ("fputc", "n", 'n'),
    ("putc", "n", 'n'),
    ("_IO_putc", "n", 'n'),
    ("fwrite", "pnnp", 'n'),
    ("fwrite_unlocked", "pnnp", 'n'),
    ("write", "npn", 'n'),
    ("printf", "pp", 'n'),
    ("fprintf", "ppp", 'n'),
    ("dprintf", "npp", 'n'),
    ("__printf_chk", "npp", 'n'),
    ("__fprintf_chk", "pnpp", 'n'),
    ("sprintf", "ppp", 'n'),
    ("__sprintf_chk", "pnnpp", 'n'),
    ("snprintf", "pnpp", 'n'),
    ("__snprintf_chk", "pnnnpp", 'n'),
    ("vprintf", "pp", 'n'),
    ("vfprintf", "ppp", 'n'),
    ("vdprintf", "npp", 'n'),
    ("__vprintf_chk", "npp", 'n'),
    ("__vfprintf_chk", "pnpp", 'n'),
    ("vsprintf", "ppp", 'n'),
    ("__vsprintf_chk", "pnnpp", 'n'),
    ("vsnprintf", "pnpp", 'n'),
    ("__vsnprintf_chk", "pnnnpp", 'n'),
    ("aligned_alloc", "nn", 'p'),
    ("memalign", "nn", 'p'),
    ("scanf", "pp", 'n'),
    ("fgets", "pnp", 'p'),
    ("fread", "pnnp", 'n'),
    ("feof", "p", 'n'),
    ("clearerr", "p", '-'),
    ("getc", "p", 'n'),
    ("fgetc", "p", 'n'),
    ("getc_unlocked", "p", 'n'),
    ("_IO_getc", "p", 'n'),
];

/// A name without the prefixes of builtins and of glibc's versions. Variants that check sizes mean the plain functions
/// with more arguments at the end; those of `printf` have them in between, and keep their names.
pub(super) fn plain_name(name: &str) -> &str {
    let prefixes = ["__builtin_", "__isoc99_", "__isoc23_"];
    let name = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    if name.ends_with("printf_chk") {
        return name;
    }
    let checked = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
    match (checked, name) {
        (Some(plain), _) => plain,
        (None, "__strdup" | "__strndup" | "__strtok_r") => &name[2..],
        (None, name) => name,
    }
}

/// Whether a call has the kinds of arguments and of the result that its model relies on.
pub(super) fn fits(call: &Call<'_>) -> bool {
    let Some((_, params, result)) = SIGNATURES.iter().find(|(name, ..)| *name == call.name) else {
        return true;
    };
    let kinds = params.bytes().zip(call.args).all(|(kind, arg)| match arg {
        Symbol::Pointer(_) => kind == b'p',
        Symbol::Int(_) => kind == b'n',
        Symbol::Float(_) => false,
    });
    let returns = match call.ret {
        None => true,
        Some(Ty::Ptr) => *result == 'p',
        Some(Ty::Int(_)) => *result == 'n',
        Some(Ty::Float(_)) => *result == 'f',
    };
    kinds && returns && call.args.len() >= params.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(plain_name("__builtin___memcpy_chk"), "memcpy");
        assert_eq!(plain_name("__isoc23_strtol"), "strtol");
        assert_eq!(plain_name("__strtok_r"), "strtok_r");
        assert_eq!(plain_name("__builtin___snprintf_chk"), "__snprintf_chk");
        assert_eq!(plain_name("__assert_fail"), "__assert_fail");
    }
}
