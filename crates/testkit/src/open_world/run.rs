//! Programs in their worlds, compiled and run.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use super::writer::Program;
use crate::native::TempDir;

const HEADER: &str = include_str!("attack.h");
const RUNTIME: &str = include_str!("runtime.c");
/// Reports end the session. Pointers that only move are of no interest, as in Quipu.
const FLAGS: [&str; 8] = [
    "-std=gnu17",
    "-w",
    "-g1",
    "-O0",
    "-fsanitize=address,undefined",
    "-fno-sanitize=pointer-overflow,vptr,nonnull-attribute,returns-nonnull-attribute",
    "-fno-sanitize-recover=all",
    "-I.",
];

/// Where programs are compiled and run.
#[derive(Debug)]
pub struct Arena {
    dir: TempDir,
}

/// What all runs of a program came to.
#[derive(Clone, Default, Debug)]
pub struct Seen {
    /// For each slot, the departures of some runs that came there without anything undefined before.
    pub met: BTreeMap<u32, Vec<u32>>,
    pub reports: Vec<Report>,
    /// Sessions that ended, that a sanitizer stopped, and that took too long.
    pub sessions: [u64; 3],
    /// What sanitizers say about the world itself, which is a mistake of its author.
    pub mistakes: String,
}

/// What a sanitizer reported in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    pub line: u32,
    /// The departures of the run before that.
    pub departures: u32,
    /// Whether something undefined had happened before that.
    pub late: bool,
    /// In the words of the sanitizer.
    pub what: String,
}

impl Arena {
    /// # Errors
    ///
    /// When the compiler cannot be started, or refuses.
    pub fn new() -> io::Result<Arena> {
        let arena = Arena { dir: TempDir::new()? };
        fs::write(arena.dir.file("attack.h"), HEADER)?;
        fs::write(arena.dir.file("runtime.c"), RUNTIME)?;
        arena.compile(&["-c", "runtime.c", "-o", "runtime.o"])?;
        Ok(arena)
    }

    /// The file that has the program as Quipu reads it.
    pub fn file(&self) -> std::path::PathBuf {
        self.dir.file("plain.c")
    }

    /// Writes the program as Quipu reads it, and compiles it as it is attacked.
    ///
    /// # Errors
    ///
    /// When the compiler cannot be started, or refuses.
    pub fn prepare(&self, program: &Program) -> io::Result<()> {
        fs::write(self.file(), &program.text.plain)?;
        fs::write(self.dir.file("program.c"), &program.text.marked)?;
        fs::write(self.dir.file("environment.c"), &program.world)?;
        self.compile(&["-include", "attack.h", "program.c", "environment.c", "runtime.o", "-o", "attack"])
    }

    /// Runs it so many times in random worlds.
    ///
    /// # Errors
    ///
    /// When it cannot be run.
    pub fn attack(&self, seed: u64, runs: u64) -> io::Result<Seen> {
        let output = Command::new(self.dir.file("attack"))
            .args([seed.to_string(), runs.to_string()])
            .current_dir(self.folder())
            .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0:allocator_may_return_null=1")
            .env("UBSAN_OPTIONS", "print_stacktrace=0")
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            let messages = String::from_utf8_lossy(&output.stderr);
            return Err(io::Error::other(format!(
                "the attack ended with {}\n{text}{messages}",
                output.status
            )));
        }
        Ok(Seen::read(&text))
    }

    fn folder(&self) -> std::path::PathBuf {
        self.dir.file(".")
    }

    fn compile(&self, arguments: &[&str]) -> io::Result<()> {
        let output = Command::new("cc").args(FLAGS).args(arguments).current_dir(self.folder()).output()?;
        let messages = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(io::Error::other(messages.into_owned())) }
    }

    /// Keeps the files for somebody who wants to look at them.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for name in ["attack.h", "runtime.c", "plain.c", "program.c", "environment.c"] {
            fs::copy(self.dir.file(name), folder.join(name))?;
        }
        Ok(())
    }
}

impl Seen {
    fn read(text: &str) -> Seen {
        let mut seen = Seen::default();
        for line in text.lines() {
            let mut words = line.split(' ');
            let first = words.next();
            let mut number = || words.next().and_then(|word| word.parse::<u32>().ok());
            match first {
                Some("met") => {
                    let Some(slot) = number() else { continue };
                    seen.met.insert(slot, std::iter::from_fn(&mut number).collect());
                }
                Some("report") => {
                    let (Some(line), Some(departures), Some(late)) = (number(), number(), number()) else {
                        continue;
                    };
                    let what = words.collect::<Vec<_>>().join(" ");
                    if what == "of the world" {
                        seen.mistakes = text.to_string();
                    }
                    seen.reports.push(Report { line, departures, late: late != 0, what });
                }
                Some("sessions") => {
                    let numbers: Vec<u32> = std::iter::from_fn(&mut number).collect();
                    for (n, value) in numbers.into_iter().take(3).enumerate() {
                        seen.sessions[n] = value.into();
                    }
                }
                _ => {}
            }
        }
        seen
    }
}
