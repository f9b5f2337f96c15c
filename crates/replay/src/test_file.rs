//! A file of exported tests, compiled and run as its user does it.
//!
//! The program is built in the way of the user, and once more with sanitizers, and gets the name of one test as its
//! argument, or none for all of them. It runs in an empty directory; limits on time, and on files and dumps, end what
//! gets out of hand. Its tests were run before, under the filter of system calls.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use quipu_limits::Alarm;

use crate::compiler::Compiler;
use crate::sanitizer::Report;
use crate::scratch::Scratch;
use crate::witness::words;
use crate::{ReplayError, flags, process, sanitizer};

const PROGRAM: &str = "program";
const DIRECTORY: &str = "empty";
const MESSAGES: &str = "messages";

/// What ends a program, and those that it starts, when it gets out of hand.
const GUARD: &str = "\
#include <sys/resource.h>
__attribute__((constructor)) static void quipu_guard(void)
{
    struct rlimit time = {SECONDS, SECONDS + 1}, file = {1 << 20, 1 << 20}, dump = {0, 0};
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_CORE, &dump);
}
";

/// How a file of tests is compiled.
#[derive(Clone, Copy, Debug)]
pub struct TestFile<'a> {
    pub file: &'a Path,
    /// The user's compiler.
    pub compiler: &'a str,
    /// The user's flags.
    pub flags: &'a [String],
    /// The time of one test.
    pub time: Duration,
    /// The number of tests.
    pub tests: usize,
}

/// The ways to check a program while it runs, the best first. Compilers may have a part of them.
const SANITIZERS: [&str; 3] = ["address,undefined", "undefined", "address"];

/// A program of tests, ready to run. Its files disappear with it.
#[derive(Debug)]
pub struct TestProgram {
    scratch: Scratch,
    time: Duration,
    tests: u32,
    /// The sanitizers in it.
    pub sanitizers: Option<&'static str>,
}

/// How a run of tests ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestEnd {
    Passed,
    /// A sanitizer stopped it, in these words.
    Stopped(String),
    /// It ended otherwise than it should.
    Failed(String),
}

impl TestFile<'_> {
    /// Whether the compiler takes the file, with further flags.
    ///
    /// # Errors
    ///
    /// When it does not: what it says.
    pub fn parse(&self, more: &[&str]) -> Result<(), ReplayError> {
        let mut args = flags::own(self.flags);
        args.extend(["-fsyntax-only", "-w"].iter().chain(more).map(ToString::to_string));
        args.extend(self.as_c());
        Compiler::new(self.compiler, Alarm::never()).start(&args)?.output().map(drop)
    }

    /// The program as the user builds it.
    ///
    /// # Errors
    ///
    /// When the compiler refuses the file.
    pub fn build(&self) -> Result<TestProgram, ReplayError> {
        let built = self.build_with(&flags::own(self.flags), None);
        // A warning about the source under test is no reason to have no tests.
        built.or_else(|error| match flags::own(self.flags) {
            flags if flags.iter().any(|flag| is_strict(flag)) => {
                let lenient: Vec<String> = flags.into_iter().filter(|flag| !is_strict(flag)).collect();
                self.build_with(&lenient, None)
            }
            _ => Err(error),
        })
    }

    /// The program with sanitizers, as many as the compiler has; none if it has none. It is optimised so far, unless the
    /// user says otherwise.
    pub fn build_sanitized(&self, level: &str) -> Option<TestProgram> {
        let kept = flags::own(self.flags).into_iter().filter(|flag| flag != "-static" && !is_strict(flag));
        let kept: Vec<String> = [level.to_string()].into_iter().chain(kept).collect();
        SANITIZERS.iter().find_map(|names| self.build_with(&kept, Some(names)).ok())
    }

    /// The file as an argument: it is C, whatever its name says.
    fn as_c(&self) -> [String; 5] {
        let file = self.file.display().to_string();
        ["-x".to_string(), "c".to_string(), file, "-x".to_string(), "none".to_string()]
    }

    fn build_with(
        &self,
        flags: &[String],
        sanitizers: Option<&'static str>,
    ) -> Result<TestProgram, ReplayError> {
        let scratch = Scratch::new()?;
        let compiler = Compiler::new(self.compiler, Alarm::never());
        let path = |name: &str| scratch.file(name).display().to_string();
        fs::create_dir(scratch.file(DIRECTORY))?;
        fs::write(scratch.file("guard.c"), GUARD)?;
        let mut args = flags::machine(self.flags);
        let tests = u32::try_from(self.tests).unwrap_or(u32::MAX);
        // Sanitizers take their time.
        let seconds = (self.time.as_secs() + 1) * (10 + 5 * u64::from(tests));
        args.push(format!("-DSECONDS={seconds}"));
        args.extend(["-w", "-c", "-o"].map(str::to_string));
        args.extend([path("guard.o"), path("guard.c")]);
        let guard = compiler.start(&args)?;
        let mut args = flags.to_vec();
        if let Some(names) = sanitizers {
            args.extend(["-g".to_string(), format!("-fsanitize={names}")]);
            args.push("-fno-sanitize-recover=all".to_string());
        }
        guard.output()?;
        args.extend(["-o".to_string(), path(PROGRAM)]);
        args.extend(self.as_c());
        args.push(path("guard.o"));
        args.extend(flags::libraries(self.flags));
        args.push("-lm".to_string());
        compiler.start(&args)?.output()?;
        Ok(TestProgram { scratch, time: self.time, tests, sanitizers })
    }
}

impl TestProgram {
    /// Runs one test, or all of them.
    pub fn run(&self, test: Option<&str>) -> TestEnd {
        let tests = if test.is_some() { 1 } else { self.tests };
        let slack = if self.sanitizers.is_some() { 5 } else { 1 };
        let time = (self.time * slack).saturating_mul(tests.max(1)) + Duration::from_secs(5);
        match self.try_run(test, time) {
            Ok((status, messages)) => self.end(status, &messages),
            Err(error) => TestEnd::Failed(format!("cannot be run: {error}")),
        }
    }

    fn try_run(&self, test: Option<&str>, time: Duration) -> std::io::Result<(ExitStatus, String)> {
        let messages = self.scratch.file(MESSAGES);
        let mut command = Command::new(self.scratch.file(PROGRAM));
        command.args(test).current_dir(self.scratch.file(DIRECTORY));
        for variable in ["ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"] {
            command.env_remove(variable);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&messages)?);
        let status = process::wait(command.spawn()?, time, Alarm::never())?;
        Ok((status, String::from_utf8_lossy(&fs::read(&messages)?).into_owned()))
    }

    fn end(&self, status: ExitStatus, messages: &str) -> TestEnd {
        let reports = if self.sanitizers.is_some() { sanitizer::reports(messages, &[]) } else { Vec::new() };
        let assertion = messages.lines().rev().find_map(failed_assertion);
        match (reports.first(), assertion) {
            // A process of its own may have been stopped, and its parent fails.
            (Some(report), _) if is_undefined(report) => TestEnd::Stopped(words(report)),
            (Some(report), _) => TestEnd::Failed(words(report)),
            _ if status.success() => TestEnd::Passed,
            _ if messages.contains("ERROR: LeakSanitizer") => TestEnd::Failed("it leaks memory".to_string()),
            (None, Some(assertion)) => TestEnd::Failed(format!("`{assertion}` does not hold")),
            (None, None) => TestEnd::Failed(match (status.code(), status.signal()) {
                (_, Some(9 | 24)) => "it does not end in time".to_string(),
                (_, Some(signal)) => format!("it is ended by {}", crate::ending::signal_name(signal)),
                (code, None) => format!("it ends with status {}", code.unwrap_or(0)),
            }),
        }
    }
}

/// Whether a report is about undefined behaviour, and not about too much stack or memory.
fn is_undefined(report: &Report) -> bool {
    report.message.contains("runtime error: ") || !report.events.is_empty()
}

fn is_strict(flag: &str) -> bool {
    flag.starts_with("-Werror") || flag == "-pedantic-errors"
}

/// The condition in a message of `assert`.
fn failed_assertion(line: &str) -> Option<String> {
    let (_, rest) = line.split_once(": Assertion `")?;
    rest.split_once("' failed.").map(|(condition, _)| condition.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_of_messages() {
        let gcc = "program: t.c:80: test_set: Assertion `s.value == 2.0' failed.";
        let clang = "program: t.c:80: void test_set(void): Assertion `n[1] == '`'' failed.";
        assert_eq!(failed_assertion(gcc).as_deref(), Some("s.value == 2.0"));
        assert_eq!(failed_assertion(clang).as_deref(), Some("n[1] == '`'"));
        assert_eq!(failed_assertion("Assertion"), None);
    }
}
