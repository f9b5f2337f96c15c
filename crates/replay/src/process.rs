//! Runs of the compiled program, each in a process of its own.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use quipu_limits::Alarm;

/// What a run has around it.
pub(crate) struct Surroundings<'a> {
    pub(crate) directory: &'a Path,
    /// The environment variables.
    pub(crate) variables: &'a [(&'static str, &'static str)],
    /// Where its messages go, if anybody reads them.
    pub(crate) messages: Option<File>,
    pub(crate) time: Duration,
    /// Ends the run when it is raised.
    pub(crate) alarm: &'a Alarm,
}

/// Runs the program with the shared file as its standard input. The program ends itself in time; one that does not is
/// killed a little later. A run that is ended by the alarm says nothing.
pub(crate) fn run(program: &Path, shared: &File, around: Surroundings<'_>) -> io::Result<ExitStatus> {
    let mut command = Command::new(program);
    command.current_dir(around.directory).env_clear().envs(around.variables.iter().copied());
    if let Some(path) = std::env::var_os("LD_LIBRARY_PATH") {
        command.env("LD_LIBRARY_PATH", path);
    }
    let messages = around.messages.map_or_else(Stdio::null, Stdio::from);
    command.stdin(shared.try_clone()?).stdout(Stdio::null()).stderr(messages);
    wait(command.spawn()?, around.time + Duration::from_millis(500), around.alarm)
}

/// Waits with growing pauses: most runs take a millisecond.
pub(crate) fn wait(mut child: Child, time: Duration, alarm: &Alarm) -> io::Result<ExitStatus> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if let Some(cause) = alarm.cause() {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::other(cause.to_string()));
        }
        if start.elapsed() > time {
            child.kill()?;
            return child.wait();
        }
        std::thread::sleep(pause);
        pause = (pause * 3 / 2).min(Duration::from_millis(5));
    }
}
