//! The files that a program is made of, as the compiler tells them.

use std::path::PathBuf;

use quipu_limits::Alarm;

use crate::compiler::Compiler;
use crate::{ReplayError, flags};

/// The sources and all files that they include.
///
/// # Errors
///
/// When the compiler cannot be started or refuses a file.
pub fn dependencies(
    compiler: &str,
    flags: &[String],
    files: &[PathBuf],
) -> Result<Vec<PathBuf>, ReplayError> {
    let mut found = Vec::new();
    for file in files {
        let mut args = flags::own(flags);
        args.extend(["-w".to_string(), "-M".to_string(), file.display().to_string()]);
        let rule = Compiler::new(compiler, Alarm::never()).start(&args)?.output()?;
        found.extend(prerequisites(&String::from_utf8_lossy(&rule)));
    }
    Ok(found)
}

/// What stands behind the colon of a rule for `make`.
fn prerequisites(rule: &str) -> Vec<PathBuf> {
    let Some((_, list)) = rule.split_once(": ") else { return Vec::new() };
    let mut words = vec![String::new()];
    let mut letters = list.chars();
    while let Some(letter) = letters.next() {
        let word = words.last_mut().expect("there is a last word");
        match letter {
            '\\' => match letters.next() {
                Some('\n') | None => words.push(String::new()),
                // A blank or a sharp of the name itself.
                Some(quoted @ (' ' | '#')) => word.push(quoted),
                Some(other) => word.extend(['\\', other]),
            },
            '$' => word.extend(letters.next()),
            letter if letter.is_whitespace() => words.push(String::new()),
            letter => word.push(letter),
        }
    }
    words.into_iter().filter(|word| !word.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_for_make() {
        let rule = "a.o: a.c /usr/include/stdio.h \\\n with\\ blank.h and\\#sharp.h $$money.h\n";
        let names: Vec<String> = prerequisites(rule).iter().map(|path| path.display().to_string()).collect();
        assert_eq!(names, ["a.c", "/usr/include/stdio.h", "with blank.h", "and#sharp.h", "$money.h"]);
        assert!(prerequisites("").is_empty());
    }
}
