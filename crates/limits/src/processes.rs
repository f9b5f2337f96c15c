//! Processes that belong to a run: how they are ended, and how they end with whom they work for.

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use crate::usage::processes_of_session;

/// Ends a process that leads a group, and everybody in the group.
pub fn end_group(leader: u32) {
    if let Some(pid) = pid(leader) {
        // Who has ended already need not be ended.
        let _ = killpg(pid, Signal::SIGKILL);
    }
}

/// Ends a process that leads a session, and everybody in the session, whatever groups they have made.
pub fn end_session(leader: u32) {
    end_group(leader);
    processes_of_session(leader).into_iter().for_each(end_process);
}

/// Ends a process.
pub fn end_process(process: u32) {
    if let Some(pid) = pid(process) {
        let _ = kill(pid, Signal::SIGKILL);
    }
}

/// Asks a process to come to an end, as Ctrl-C does.
pub fn ask_to_end(process: u32) {
    if let Some(pid) = pid(process) {
        let _ = kill(pid, Signal::SIGINT);
    }
}

/// Makes this process the leader of a session of its own: Ctrl-C at a terminal does not reach it any more, and its
/// children can be found. It ends when the process that started it does.
pub fn lead_session() {
    // It fails for the leader of a group, which nobody makes of it who starts it.
    let _ = nix::unistd::setsid();
    #[cfg(target_os = "linux")]
    {
        let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
    }
}

fn pid(process: u32) -> Option<Pid> {
    // Zero and negative numbers would mean others.
    i32::try_from(process).ok().filter(|&pid| pid > 1).map(Pid::from_raw)
}
