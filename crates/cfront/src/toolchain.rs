//! Where the system's own compiler looks for headers, and which version it is.

use std::process::{Command, Stdio};

use quipu_ir::DataModel;
use rucc_session::{GnucVersion, SearchPath, runtime};

use crate::options::Options;
use crate::{Input, Text};

/// What the compiler told about itself.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) path: SearchPath,
    pub(crate) gnuc: Option<GnucVersion>,
}

/// The include search path: the user's directories, then the compiler's own.
///
/// The compiler is only asked where a file mentions an include: asking costs about as much as parsing.
pub(crate) fn search(inputs: &[Input], options: &Options) -> Search {
    let mut path = SearchPath::new();
    options.quote_dirs.iter().for_each(|dir| path.push_quote(dir));
    options.include_dirs.iter().for_each(|dir| path.push_bracket(dir));
    options.system_dirs.iter().for_each(|dir| path.push_system(dir));
    let mut gnuc = None;
    if !options.no_system_headers {
        path.push_system(runtime::DIR);
        if !options.includes.is_empty() || inputs.iter().any(asks_about_compiler) {
            let report = ask_compiler(options, options.data_model).unwrap_or_default();
            gnuc = version(&report);
            let mut dirs = directories(&report);
            if options.data_model == DataModel::Ilp32 && !dirs.iter().any(|dir| has_c_library(dir)) {
                // No 32-bit C library is installed. The headers of the 64-bit one serve both.
                dirs.extend(directories(&ask_compiler(options, DataModel::Lp64).unwrap_or_default()));
            }
            dirs.iter().for_each(|dir| path.push_system(dir));
        }
    }
    path.remove_duplicates();
    Search { path, gnuc }
}

/// Whether a source can depend on the compiler's headers or version.
fn asks_about_compiler(input: &Input) -> bool {
    let mentions =
        |text: &Text, word: &str| text.bytes.windows(word.len()).any(|window| window == word.as_bytes());
    input.texts.iter().any(|text| mentions(text, "include") || mentions(text, "__GNUC"))
}

/// Whether a directory holds the part of glibc's headers that depends on the machine.
fn has_c_library(dir: &str) -> bool {
    std::path::Path::new(dir).join("bits/wordsize.h").exists()
}

/// What `cc -E -v` prints about its search path and version; none if there is no compiler.
fn ask_compiler(options: &Options, data_model: DataModel) -> Option<String> {
    let mut words = options.compiler.split_whitespace();
    let mut command = Command::new(words.next()?);
    command.args(words).args(["-E", "-v", "-x", "c"]);
    if data_model == DataModel::Ilp32 {
        command.arg("-m32");
    }
    let output = command.arg("/dev/null").env("LC_ALL", "C").stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The directories between the two lines that gcc and clang both print.
///
/// The compiler's private directory is left out: `rucc` brings its own versions of those headers.
fn directories(report: &str) -> Vec<String> {
    report
        .lines()
        .skip_while(|line| !line.starts_with("#include <...>"))
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .map(|line| line.trim().to_string())
        .filter(|dir| !is_private(dir))
        .collect()
}

fn is_private(dir: &str) -> bool {
    (dir.contains("/lib/gcc/") || dir.contains("/lib/clang/"))
        && (dir.ends_with("/include") || dir.ends_with("/include-fixed"))
}

fn version(report: &str) -> Option<GnucVersion> {
    let line = report.lines().find(|line| line.starts_with("gcc version "))?;
    line.split_whitespace().nth(2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_of_gcc_is_understood() {
        let report = "gcc version 12.2.0 (Debian)\n#include \"...\" search starts here:\n#include <...> search starts \
                      here:\n /usr/lib/gcc/x86_64-linux-gnu/12/include\n /usr/local/include\n /usr/include\nEnd of \
                      search list.\n";
        assert_eq!(directories(report), ["/usr/local/include", "/usr/include"]);
        assert_eq!(version(report).unwrap().major, 12);
    }
}
