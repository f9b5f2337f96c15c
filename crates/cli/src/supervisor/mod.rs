//! Starts the process that does the work, watches it, and starts another one if it ends before its time (ADR 30).
//!
//! The supervisor itself reads no program and solves nothing, so that it can neither crash nor run out of memory. What
//! was found is in the journal; the last worker tells it.

mod folder;
mod interruption;
mod watching;

use std::path::Path;
use std::process::{Child, Command as Process};
use std::time::Duration;

use quipu_cover::Reason;
use quipu_limits::size_text;

use crate::args::Command;
use crate::exit::Exit;
use crate::talk;
use crate::worker::journal::{Entry, Journal, Phase, VARIABLE};
use crate::worker::limits::RunLimits;
use folder::RunFolder;
use interruption::Interruption;
use watching::{Ended, Watching};

/// What a shell reports for a program that Ctrl-C has ended.
const INTERRUPTED_TWICE: u8 = 130;

/// Runs a command in processes of its own; the exit code.
pub fn supervise(command: &Command) -> u8 {
    let interruption = Interruption::install();
    let limits = RunLimits::of_command(command);
    let started = RunFolder::new().and_then(|folder| Ok((Journal::open(folder.path())?, folder)));
    let (mut journal, folder) = match started {
        Ok(started) => started,
        Err(error) => {
            return fail(command, &format!("error: cannot make a temporary folder: {error}"), "system");
        }
    };
    let mut before = Duration::ZERO;
    loop {
        let child = match start(folder.path()) {
            Ok(child) => child,
            Err(error) => return fail(command, &format!("error: cannot start: {error}"), "system"),
        };
        match Watching::new(child, &mut journal, &limits, &interruption, before).watch() {
            Ended::Well(code) => return u8::try_from(code).unwrap_or(Exit::GaveUp.code()),
            Ended::Left => before = used(folder.path()),
            Ended::Abandoned => return INTERRUPTED_TWICE,
            Ended::Died { phase, reason, cpu } => {
                journal.mend();
                journal.add(&Entry::Died { phase, reason: reason.clone(), cpu: cpu.as_secs_f64() });
                before = cpu;
                if is_hopeless(phase) || !command.can_go_on() {
                    return give_up(command, &limits, phase, &reason);
                }
            }
        }
    }
}

/// Starts a worker: the same program with the same arguments.
fn start(folder: &Path) -> std::io::Result<Child> {
    let own = Path::new("/proc/self/exe");
    // The name may mean another program by now.
    let program = if own.exists() { own.to_path_buf() } else { std::env::current_exe()? };
    let mut process = Process::new(program);
    process.args(std::env::args_os().skip(1)).env(VARIABLE, folder).env("TMPDIR", folder);
    process.spawn()
}

/// Without a program there is nothing to tell, and who cannot tell will not be able to the next time.
fn is_hopeless(phase: Phase) -> bool {
    matches!(phase, Phase::Load | Phase::Recall | Phase::Print)
}

/// What all workers have used, as the last one says that has left.
fn used(folder: &Path) -> Duration {
    let entries = Journal::open(folder).map(|mut journal| journal.news()).unwrap_or_default();
    let cpu = entries.iter().rev().find_map(|entry| match entry {
        Entry::Left { cpu } => Some(*cpu),
        _ => None,
    });
    Duration::try_from_secs_f64(cpu.unwrap_or(0.0)).unwrap_or_default()
}

fn give_up(command: &Command, limits: &RunLimits, phase: Phase, reason: &Reason) -> u8 {
    let doing = match phase {
        Phase::Load => "while the program was read",
        Phase::Print => "while the results were told",
        _ => "before the results were told",
    };
    let (kind, why) = match reason {
        Reason::Time => ("time", "the time was over".to_string()),
        Reason::Memory => ("memory", format!("the memory was used up ({})", size_text(limits.memory))),
        Reason::Interrupted => ("interrupted", "the work was interrupted".to_string()),
        Reason::Crash(how) => ("crash", format!("Quipu crashed ({how}); this is a bug, please report it")),
        _ => ("crash", "Quipu ended".to_string()),
    };
    let message = format!("error: {doing}, {why}");
    if phase == Phase::Print {
        // Some of the report may be out already.
        talk::tell(&message);
        return Exit::GaveUp.code();
    }
    fail(command, &message, kind)
}

/// Says what went wrong, also as JSON if that is wanted.
fn fail(command: &Command, message: &str, kind: &str) -> u8 {
    talk::tell(message);
    if command.wants_json() {
        talk::print_error(kind);
    }
    Exit::GaveUp.code()
}
