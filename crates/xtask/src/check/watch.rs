//! A process under watch: the CPU time of itself and of its children apart, its memory, and a limit in CPU time.
//!
//! Elapsed time says little on a machine that does other work too. What a process has used is read while it is a
//! zombie, before its parent takes note of its end.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often it is looked at.
const PAUSE: Duration = Duration::from_millis(3);
/// User space always sees 100 ticks per second on Linux.
const TICKS_PER_SECOND: f64 = 100.0;
/// How much longer than its CPU time a run may take.
pub const PATIENCE: f64 = 30.0;
/// CPU seconds to end in when asked to.
const TO_END: f64 = 2.0;
const TO_END_AT_MOST: Duration = Duration::from_secs(60);

/// A run that ended, or was stopped.
pub struct Ran {
    /// What it printed.
    pub text: String,
    /// Whether it ended by itself.
    pub in_time: bool,
    /// CPU seconds of the process itself.
    pub own_seconds: f64,
    /// CPU seconds of the processes that it started.
    pub children_seconds: f64,
    /// The largest memory of a single process.
    pub peak_kib: u64,
}

/// Runs a command, but not longer than so many CPU seconds. Then it is asked to end, as by a user, and may tell what it
/// knows; if it does not end, it is stopped.
pub fn run(mut command: Command, printed: &Path, limit: f64) -> io::Result<Ran> {
    let mut child = command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(File::create(printed)?)
        .stderr(Stdio::null())
        .spawn()?;
    let start = Instant::now();
    let mut peaks: BTreeMap<u32, u64> = BTreeMap::new();
    let mut in_time = true;
    let mut seconds: f64 = 0.0;
    // Since when it has been asked to end.
    let mut ignored = start;
    let process = loop {
        let process = Process::read(child.id()).ok_or_else(|| io::Error::other("a process is missing"))?;
        if process.is_over {
            break process;
        }
        let family = family(child.id());
        for &pid in &family {
            let peak = peaks.entry(pid).or_default();
            *peak = peak_kib(pid).max(*peak);
        }
        let now: f64 =
            family.iter().filter_map(|&pid| Process::read(pid)).map(|one| one.own + one.children).sum();
        seconds = seconds.max(now);
        let is_late = seconds > limit || start.elapsed().as_secs_f64() > PATIENCE * limit;
        if in_time && is_late {
            in_time = false;
            signal("-INT", child.id())?;
        } else if !in_time && (seconds > limit + TO_END || ignored.elapsed() > TO_END_AT_MOST) {
            signal("-KILL", child.id())?;
        } else if in_time {
            ignored = Instant::now();
        }
        std::thread::sleep(PAUSE);
    };
    child.wait()?;
    let text = String::from_utf8_lossy(&fs::read(printed)?).into_owned();
    // What stopped children used is not added to that of their parents.
    let lost = if in_time { 0.0 } else { (seconds - process.own - process.children).max(0.0) };
    Ok(Ran {
        text,
        in_time,
        own_seconds: process.own + lost,
        children_seconds: process.children,
        peak_kib: peaks.into_values().max().unwrap_or(0),
    })
}

/// Sends a signal to a process and those that it started: a solver would go on alone.
fn signal(name: &str, pid: u32) -> io::Result<()> {
    Command::new("kill").args([name, "--", &format!("-{pid}")]).status().map(drop)
}

/// What the system tells about a process.
struct Process {
    is_over: bool,
    own: f64,
    /// Of children that have ended.
    children: f64,
}

impl Process {
    fn read(pid: u32) -> Option<Process> {
        parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }
}

fn parse(stat: &str) -> Option<Process> {
    // The name of the program stands in parentheses and may contain blanks; the state is the first field behind it.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let seconds = |field: usize| Some(fields.get(field)?.parse::<f64>().ok()? / TICKS_PER_SECOND);
    Some(Process {
        is_over: *fields.first()? == "Z",
        own: seconds(11)? + seconds(12)?,
        children: seconds(13)? + seconds(14)?,
    })
}

/// A process and those that it started, directly or not, as far as they run.
fn family(pid: u32) -> Vec<u32> {
    let mut family = vec![pid];
    let mut next = 0;
    while next < family.len() {
        let pid = family[next];
        let tasks = fs::read_dir(format!("/proc/{pid}/task"));
        for task in tasks.into_iter().flatten().flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            family.extend(children.split_whitespace().filter_map(|word| word.parse::<u32>().ok()));
        }
        next += 1;
    }
    family
}

fn peak_kib(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()).and_then(|word| word.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: f64) -> Ran {
        let printed =
            std::env::temp_dir().join(format!("quipu-watch-{}-{}", std::process::id(), script.len()));
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let ran = run(command, &printed, limit).expect("there is a shell");
        fs::remove_file(printed).expect("the file is ours");
        ran
    }

    #[test]
    fn what_children_use_is_kept_apart() {
        let work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        let ran = shell(&format!("sh -c '{work}'; echo done"), 60.0);
        assert_eq!((ran.text.as_str(), ran.in_time), ("done\n", true));
        assert!(ran.children_seconds > ran.own_seconds, "{} {}", ran.children_seconds, ran.own_seconds);
        assert!(ran.peak_kib > 0);
    }

    #[test]
    fn what_goes_on_too_long_is_stopped_with_its_children() {
        let ran = shell("sh -c 'while :; do :; done'; true", 0.2);
        assert!(!ran.in_time);
        assert!(ran.own_seconds + ran.children_seconds >= 0.2, "{}", ran.own_seconds);
    }

    #[test]
    fn what_is_asked_to_end_may_say_something() {
        let ran = shell("trap 'echo so far; exit' INT; while :; do :; done", 0.2);
        // A shell cannot trap what its parents ignore, as shells in the background do.
        let expected = if ignores_interrupts() { "" } else { "so far\n" };
        assert_eq!((ran.text.as_str(), ran.in_time), (expected, false));
    }

    fn ignores_interrupts() -> bool {
        let status = fs::read_to_string("/proc/self/status").expect("the system tells about processes");
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask");
        let mask = u64::from_str_radix(ignored.trim(), 16).expect("hexadecimal digits");
        const INTERRUPT: u32 = 2;
        mask & (1 << (INTERRUPT - 1)) != 0
    }

    #[test]
    fn names_of_programs_may_have_blanks_and_parentheses() {
        let stat = "12 (a (b) c) Z 1 2 3 4 5 6 7 8 9 10 100 50 30 20 0";
        let process = parse(stat).expect("a line");
        assert!(process.is_over);
        assert_eq!((process.own, process.children), (1.5, 0.5));
    }
}
