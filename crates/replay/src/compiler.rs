//! Calls of the user's C compiler.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use quipu_limits::{Alarm, end_group};

use crate::ReplayError;

/// The user's compiler with flags of its own.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    words: Vec<String>,
    alarm: Alarm,
}

/// A call of the compiler that is under way. It is ended if nobody waits for it.
pub(crate) struct Running {
    child: Child,
    /// What it writes to its standard output and to its standard error.
    output: Option<JoinHandle<Vec<u8>>>,
    messages: Option<JoinHandle<Vec<u8>>>,
    alarm: Alarm,
    line: String,
}

/// The longest pause between two looks at a compiler.
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

impl Compiler {
    /// `command` may carry flags: `gcc -m32`. Calls end when the alarm is raised.
    pub(crate) fn new(command: &str, alarm: &Alarm) -> Compiler {
        let words = command.split_whitespace().map(str::to_string).collect();
        Compiler { words, alarm: alarm.clone() }
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
            // A compiler has children of its own, which do not end with it.
            .process_group(0)
            .spawn();
        match child {
            Ok(mut child) => {
                let (output, messages) = (child.stdout.take().map(read), child.stderr.take().map(read));
                Ok(Running { child, output, messages, alarm: self.alarm.clone(), line })
            }
            Err(error) => {
                Err(ReplayError { message: format!("cannot start `{program}`: {error}"), command: line })
            }
        }
    }
}

impl Running {
    /// What the compiler wrote to its standard output, or its messages if it refused.
    pub(crate) fn output(mut self) -> Result<Vec<u8>, ReplayError> {
        match self.wait() {
            Ok(status) if status.success() => Ok(read_by(self.output.take())),
            Ok(_) => {
                let messages = read_by(self.messages.take());
                Err(self.refused(String::from_utf8_lossy(&messages).trim_end().to_string()))
            }
            Err(message) => Err(self.refused(message)),
        }
    }

    /// Waits with growing pauses, as long as there is no alarm.
    fn wait(&mut self) -> Result<ExitStatus, String> {
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
                return Ok(status);
            }
            if let Some(cause) = self.alarm.cause() {
                return Err(format!("the compiler was ended: {cause}"));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn refused(&self, message: String) -> ReplayError {
        ReplayError { message, command: self.line.clone() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already; its files go with the scratch directory.
        if matches!(self.child.try_wait(), Ok(None)) {
            end_group(self.child.id());
            let _ = self.child.wait();
        }
    }
}

/// Reads in a thread of its own, so that neither stream can block the other.
fn read(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What came before an error is what there is.
        let _ = stream.read_to_end(&mut bytes);
        bytes
    })
}

fn read_by(reader: Option<JoinHandle<Vec<u8>>>) -> Vec<u8> {
    reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
}
