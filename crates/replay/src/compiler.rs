//! Calls of the user's C compiler.

use std::process::{Child, Command, Stdio};

use crate::ReplayError;

/// The user's compiler with flags of its own.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    words: Vec<String>,
}

/// A call of the compiler that is under way. It is ended if nobody waits for it.
pub(crate) struct Running {
    child: Option<Child>,
    line: String,
}

impl Compiler {
    /// `command` may carry flags: `gcc -m32`.
    pub(crate) fn new(command: &str) -> Compiler {
        Compiler { words: command.split_whitespace().map(str::to_string).collect() }
    }

    /// Starts the compiler; it reads nothing and its output is kept.
    pub(crate) fn start(&self, args: &[String]) -> Result<Running, ReplayError> {
        let line = self.words.iter().chain(args).cloned().collect::<Vec<_>>().join(" ");
        let Some((program, own)) = self.words.split_first() else {
            return Err(ReplayError { message: "no C compiler is named".to_string(), command: line });
        };
        let child = Command::new(program)
            .args(own)
            .args(args)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        match child {
            Ok(child) => Ok(Running { child: Some(child), line }),
            Err(error) => {
                Err(ReplayError { message: format!("cannot start `{program}`: {error}"), command: line })
            }
        }
    }
}

impl Running {
    /// What the compiler wrote to its standard output, or its messages if it refused.
    pub(crate) fn output(mut self) -> Result<Vec<u8>, ReplayError> {
        let child = self.child.take().expect("only this takes the child");
        let refused = |message: String| ReplayError { message, command: self.line.clone() };
        match child.wait_with_output() {
            Ok(output) if output.status.success() => Ok(output.stdout),
            Ok(output) => Err(refused(String::from_utf8_lossy(&output.stderr).trim_end().to_string())),
            Err(error) => Err(refused(error.to_string())),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended already; its files go with the scratch directory.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
