//! `libraries-one QUIPU SECONDS ATTACK TESTS FILE FUNCTION FLAG...`: one function, covered by the command line of Quipu,
//! and what it costs; then the file of its tests, unless TESTS is `-`. The outcome goes to standard output.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::export::trials;
use super::outcome::Outcome;
use crate::usage;

/// How much longer than its time a run may take before it is stopped, on a machine that does other work too.
const PATIENCE: u32 = 6;

/// What the C compiler and the tests may take besides.
const REPLAY: Duration = Duration::from_secs(60);

/// In the place of a file of tests: none is wanted.
pub const NO_FILE: &str = "-";

/// Covers one function and prints the outcome.
pub fn run_one(words: &[String]) -> Result<ExitCode, String> {
    let [quipu, seconds, attack, tests, file, function, flags @ ..] = words else {
        return Err("libraries-one needs QUIPU SECONDS ATTACK TESTS FILE FUNCTION FLAG...".to_owned());
    };
    let time = Duration::from_secs(seconds.parse().map_err(|_| "SECONDS should be a number".to_owned())?);
    let mut command = Command::new(quipu);
    command.args(["cover", file, "--function", function, "--json", "--time", seconds, "--attack", attack]);
    if tests != NO_FILE {
        command.args(["--force", "--tests", tests]);
    }
    command.arg("--").args(flags);
    let mut outcome =
        watched(command, time * PATIENCE + REPLAY).unwrap_or_else(|error| Outcome::failed(error.to_string()));
    if let Some(export) = outcome.export.as_mut().filter(|export| export.tests > 0) {
        export.trials = trials(Path::new(tests), flags);
    }
    print!("{}", outcome.encode());
    Ok(ExitCode::SUCCESS)
}

/// Runs Quipu, but not longer than the limit.
fn watched(mut command: Command, limit: Duration) -> io::Result<Outcome> {
    let name =
        |stream: &str| std::env::temp_dir().join(format!("quipu-libraries-{}-{stream}", std::process::id()));
    let (answer, talk) = (name("out"), name("err"));
    let child =
        command.stdin(Stdio::null()).stdout(File::create(&answer)?).stderr(File::create(&talk)?).spawn()?;
    let ended = wait(child, limit);
    let texts = (fs::read_to_string(&answer), fs::read_to_string(&talk));
    fs::remove_file(answer)?;
    fs::remove_file(talk)?;
    let cpu_ms = usage::cpu_of_children_ms();
    Ok(match ended? {
        Some(status) => Outcome::told(&texts.0?, &texts.1?, &status.to_string(), cpu_ms),
        None => Outcome { cpu_ms, ..Outcome::failed(format!("it did not end within {} s", limit.as_secs())) },
    })
}

/// How the process ended; nothing if it had to be stopped.
pub fn wait(mut child: Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
