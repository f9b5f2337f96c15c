//! Runs the command and says what it should print. Each file of tests uses a part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// A run of `quipu` in the folder of the test files.
pub struct Quipu {
    command: Command,
}

/// What a run printed and how it ended.
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

/// Prepares a run with arguments separated by blanks.
pub fn quipu(args: &str) -> Quipu {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quipu"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files")).env_remove("CC");
    command.args(args.split_whitespace());
    Quipu { command }
}

/// An empty folder for the files of a test.
pub fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// Compiles exported tests with sanitizers, runs them, and tells their text.
#[track_caller]
pub fn pass(tests: &Path, passed: &str) -> String {
    let program = tests.with_extension("");
    let built = Command::new("cc")
        .args(["-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .arg("-o")
        .args([program.as_path(), tests])
        .output()
        .expect("there is a compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&program).output().expect("the tests run");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(String::from_utf8_lossy(&ran.stdout).contains(passed), "{ran:?}");
    std::fs::read_to_string(tests).expect("the tests were written")
}

impl Quipu {
    /// Adds one argument, which may contain blanks.
    pub fn arg(mut self, arg: &str) -> Quipu {
        self.command.arg(arg);
        self
    }

    /// Runs it in another folder.
    pub fn at(mut self, folder: &std::path::Path) -> Quipu {
        self.command.current_dir(folder);
        self
    }

    /// Adds arguments separated by blanks.
    pub fn args(mut self, args: &str) -> Quipu {
        self.command.args(args.split_whitespace());
        self
    }

    /// Runs the command.
    pub fn runs(mut self) -> Ran {
        let output = self.command.output().expect("the command should start");
        Ran {
            stdout: String::from_utf8(output.stdout).expect("output should be UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages should be UTF-8"),
            code: output.status.code().expect("the command should not be killed"),
        }
    }

    /// Runs the command and checks its exit code.
    pub fn exits(self, code: i32) -> Ran {
        let ran = self.runs();
        assert_eq!(ran.code, code, "stdout:\n{}\nstderr:\n{}", ran.stdout, ran.stderr);
        ran
    }
}

impl Ran {
    /// Checks the whole of standard output.
    pub fn prints(self, expected: &str) -> Ran {
        assert_eq!(self.stdout, expected, "stderr:\n{}", self.stderr);
        self
    }

    /// Checks that standard output contains a text.
    pub fn has(self, part: &str) -> Ran {
        assert!(self.stdout.contains(part), "{part:?} is not in:\n{}", self.stdout);
        self
    }

    /// Checks that messages contain a text, and that there was no panic.
    pub fn says(self, part: &str) -> Ran {
        assert!(self.stderr.contains(part), "{part:?} is not in:\n{}", self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// The output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).expect("the output should be JSON")
    }
}
