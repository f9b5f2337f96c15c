//! The system's C compiler and the programs that it makes.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory that is removed when dropped.
#[derive(Debug)]
pub struct TempDir {
    path: PathBuf,
}

impl TempDir {
    /// A new directory below the system's temporary directory.
    ///
    /// # Errors
    ///
    /// When it cannot be created.
    pub fn new() -> io::Result<TempDir> {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let n = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("quipu-testkit-{}-{n}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(TempDir { path })
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // A leftover directory is a nuisance, not a reason to fail.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Flags of every compilation: programs are generated, so warnings are of no use, and floats must not be
/// contracted.
pub const COMMON_FLAGS: [&str; 4] = ["-std=gnu17", "-w", "-ffp-contract=off", "-frounding-math"];

/// Compiles a file, with [`COMMON_FLAGS`] and these. Returns the compiler's messages if it refuses.
///
/// # Errors
///
/// When the compiler cannot be started.
pub fn compile(source: &Path, output: &Path, flags: &[&str]) -> io::Result<Result<(), String>> {
    let mut command = Command::new(compiler());
    command.args(COMMON_FLAGS).args(flags).arg(source).arg("-o").arg(output).arg("-lm");
    let result = command.output()?;
    let messages = String::from_utf8_lossy(&result.stderr).into_owned();
    Ok(if result.status.success() { Ok(()) } else { Err(messages) })
}

fn compiler() -> String {
    std::env::var("CC").ok().filter(|cc| !cc.is_empty()).unwrap_or_else(|| "cc".to_string())
}

/// Whether a file compiles without the warnings that stand for undefined behaviour which sanitizers miss.
///
/// # Errors
///
/// When the compiler cannot be started.
pub fn is_sound(source: &Path) -> io::Result<bool> {
    const ERRORS: [&str; 4] = [
        "-Werror=return-type",
        "-Werror=uninitialized",
        "-Werror=implicit-function-declaration",
        "-Werror=implicit-int",
    ];
    let result =
        Command::new(compiler()).args(["-O1", "-S", "-o", "/dev/null"]).args(ERRORS).arg(source).output()?;
    Ok(result.status.success())
}

/// What a run of a program may use.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Seconds until it is killed.
    pub seconds: u32,
    /// Megabytes of address space; none for sanitized programs, which reserve terabytes.
    pub megabytes: Option<u32>,
}

/// Runs a program under limits, which the shell and `timeout` enforce.
///
/// # Errors
///
/// When it cannot be started.
pub fn run<S: AsRef<OsStr>>(program: &Path, args: &[S], limits: RunLimits) -> io::Result<Output> {
    let memory = limits.megabytes.map_or(String::new(), |mb| format!("ulimit -v {}; ", u64::from(mb) * 1024));
    Command::new("timeout")
        .args(["-s", "KILL", &limits.seconds.to_string(), "sh", "-c", &format!("{memory}exec \"$0\" \"$@\"")])
        .arg(program)
        .args(args)
        .env("ASAN_OPTIONS", "detect_leaks=0:hard_rss_limit_mb=2048:detect_stack_use_after_return=0")
        .env("UBSAN_OPTIONS", "print_stacktrace=0")
        .output()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiles_runs_and_cleans_up() {
        let dir = TempDir::new().unwrap();
        let (source, program) = (dir.file("a.c"), dir.file("a"));
        fs::write(
            &source,
            "#include <stdio.h>\nint main(int c, char **v) { printf(\"%s\", v[1]); return c; }\n",
        )
        .unwrap();
        compile(&source, &program, &["-O1"]).unwrap().unwrap();
        let output = run(&program, &["hello"], RunLimits { seconds: 10, megabytes: Some(200) }).unwrap();
        assert_eq!((output.stdout.as_slice(), output.status.code()), (b"hello".as_slice(), Some(2)));
        drop(dir);
        assert!(!source.exists());
    }

    #[test]
    fn refuses_and_kills() {
        let dir = TempDir::new().unwrap();
        let (source, program) = (dir.file("b.c"), dir.file("b"));
        fs::write(&source, "int main(void) { return x; }").unwrap();
        assert!(compile(&source, &program, &[]).unwrap().unwrap_err().contains("error"));
        fs::write(&source, "int main(void) { for (;;) {} }").unwrap();
        compile(&source, &program, &[]).unwrap().unwrap();
        let output = run::<&str>(&program, &[], RunLimits { seconds: 1, megabytes: None }).unwrap();
        assert!(!output.status.success());
    }
}
