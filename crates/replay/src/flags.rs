//! Which of the user's compiler flags matter to which step.

/// The flags for preprocessing: all that do not ask for another kind of output. Headers look otherwise to a compiler
/// that optimises (`__OPTIMIZE__`); the front end reads them without.
pub(crate) fn preprocessing(flags: &[String]) -> Vec<String> {
    select(flags, |flag| !flag.starts_with("-O"))
}

/// The flags for compiling preprocessed text. Macros and include directories did their work; sanitizers, profiles
/// and coverage data get in the way of the limits under which the program runs.
pub(crate) fn compiling(flags: &[String]) -> Vec<String> {
    const DROPPED: [&str; 8] = [
        "-g",
        "-Werror",
        "-pedantic-errors",
        "-fsanitize",
        "-fprofile",
        "-ftest-coverage",
        "-flto",
        "-fanalyzer",
    ];
    let keep = |flag: &str| {
        !has_macro_value(flag)
            && !is_library(flag)
            && flag != "-static"
            && !DROPPED.iter().any(|dropped| flag.starts_with(dropped))
    };
    select(flags, keep)
}

/// The flags with which the user compiles a file of his own, but for libraries.
pub(crate) fn own(flags: &[String]) -> Vec<String> {
    select(flags, |flag| !is_library(flag))
}

/// The libraries, which come behind the files that use them.
pub(crate) fn libraries(flags: &[String]) -> Vec<String> {
    select(flags, is_library)
}

/// The flags that say what preprocessed text means.
pub(crate) fn dialect(flags: &[String]) -> Vec<String> {
    const KEPT: [&str; 7] = ["-std=", "--std=", "-ansi", "-m32", "-m64", "-ffreestanding", "-fshort-enums"];
    const WHOLE: [&str; 7] = [
        "-funsigned-char",
        "-fsigned-char",
        "-fwrapv",
        "-fno-wrapv",
        "-fstrict-overflow",
        "-fno-strict-overflow",
        "-ftrapv",
    ];
    let keep = |flag: &str| KEPT.iter().any(|kept| flag.starts_with(kept)) || WHOLE.contains(&flag);
    select(flags, keep)
}

/// The flag that chooses the size of types, for files of our own.
pub(crate) fn machine(flags: &[String]) -> Vec<String> {
    select(flags, |flag| matches!(flag, "-m32" | "-m64" | "-pthread"))
}

/// The flags that satisfy `keep`, with their values; never those that name another output.
fn select(flags: &[String], keep: impl Fn(&str) -> bool) -> Vec<String> {
    let mut selected = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        let value = if takes_value(flag) { rest.next() } else { None };
        if !is_output(flag) && keep(flag) {
            selected.push(flag.clone());
            selected.extend(value.cloned());
        }
    }
    selected
}

fn is_output(flag: &str) -> bool {
    matches!(flag, "-c" | "-S" | "-E" | "-o" | "-v" | "-save-temps") || flag.starts_with("-M")
}

fn has_macro_value(flag: &str) -> bool {
    ["-include", "-isystem", "-iquote", "-I", "-D", "-U"].iter().any(|name| flag.starts_with(name))
}

fn is_library(flag: &str) -> bool {
    flag.starts_with("-l") || flag.starts_with("-L")
}

fn takes_value(flag: &str) -> bool {
    matches!(
        flag,
        "-include" | "-isystem" | "-iquote" | "-I" | "-D" | "-U" | "-o" | "-MF" | "-MT" | "-MQ" | "-L" | "-l"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_gets_its_flags() {
        let flags: Vec<String> =
            "-O2 -D X=1 -Iinc -o out -MF dep -std=c99 -m32 -lm -L lib -g -Wall -Werror -fwrapv"
                .split(' ')
                .map(str::to_string)
                .collect();
        let joined = |flags: Vec<String>| flags.join(" ");
        assert_eq!(joined(compiling(&flags)), "-O2 -std=c99 -m32 -Wall -fwrapv");
        assert_eq!(joined(libraries(&flags)), "-lm -L lib");
        assert_eq!(joined(dialect(&flags)), "-std=c99 -m32 -fwrapv");
        assert!(joined(preprocessing(&flags)).starts_with("-D X=1 -Iinc -std=c99"));
    }
}
