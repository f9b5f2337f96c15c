//! What processes use: CPU time and memory.
//!
//! Of this process the system tells everywhere, of others only Linux does, in `/proc`. Where it does not, the limits
//! are kept by those who look at the alarm, and nobody else.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

/// What a process has used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// The CPU time of the process and of its children that have ended.
    pub cpu: Duration,
    /// The bytes of memory that it holds now.
    pub memory: u64,
}

impl Usage {
    /// Of this process.
    pub fn now() -> Usage {
        Usage { cpu: own_cpu(), memory: own_memory() }
    }

    /// Of this process, with what its children use that have not ended yet.
    pub fn with_children() -> Usage {
        let own = Usage::now();
        Usage { cpu: own.cpu + cpu_of(&descendants(std::process::id())), ..own }
    }

    /// Of another process; none if that cannot be told.
    pub fn of_process(process: u32) -> Option<Usage> {
        Stat::of(process).map(|stat| Usage { cpu: stat.cpu, memory: stat.memory })
    }
}

/// The processes that a process has started, and those that they have, as far as they run now. What has ended is counted
/// by its parent.
pub fn descendants(process: u32) -> Vec<u32> {
    let mut found = children(process);
    let mut next = 0;
    while next < found.len() {
        found.extend(children(found[next]));
        next += 1;
    }
    found
}

/// The time of some processes together.
pub fn cpu_of(processes: &[u32]) -> Duration {
    processes.iter().filter_map(|&process| Stat::of(process)).map(|stat| stat.cpu).sum()
}

/// Each thread has a list of the processes that it has started.
fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists =
        threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>())
        .collect()
}

/// The processes of a session that run now.
pub fn processes_of_session(leader: u32) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|&process| Stat::of(process).is_some_and(|stat| stat.session == leader)).collect()
}

fn own_cpu() -> Duration {
    let used = |who: UsageWho| {
        getrusage(who)
            .map_or(Duration::ZERO, |usage| duration(usage.user_time()) + duration(usage.system_time()))
    };
    used(UsageWho::RUSAGE_SELF) + used(UsageWho::RUSAGE_CHILDREN)
}

/// Where the present memory is not told, the most that there was stands for it.
fn own_memory() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    match pages {
        Some(pages) => pages.saturating_mul(page_size()),
        // In bytes on macOS, in kilobytes elsewhere; only where `/proc` is missing does this count.
        None => {
            getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| u64::try_from(usage.max_rss()).unwrap_or(0))
        }
    }
}

fn duration(time: TimeVal) -> Duration {
    let seconds = u64::try_from(time.tv_sec()).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec()).unwrap_or(0))
}

/// The size of a page of memory, from the kernel's description of this process.
fn page_size() -> u64 {
    static SIZE: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *SIZE.get_or_init(|| auxiliary(AT_PAGESZ).unwrap_or(4096))
}

/// Clock ticks in a second, as `/proc` counts them.
fn ticks() -> u64 {
    static TICKS: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *TICKS.get_or_init(|| auxiliary(AT_CLKTCK).unwrap_or(100))
}

/// Keys of the auxiliary vector, `getauxval(3)`.
const AT_PAGESZ: u64 = 6;
const AT_CLKTCK: u64 = 17;

fn auxiliary(key: u64) -> Option<u64> {
    let bytes = std::fs::read("/proc/self/auxv").ok()?;
    let size = std::mem::size_of::<usize>();
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
    let pair = bytes.chunks_exact(2 * size).find(|pair| word(&pair[..size]) == key)?;
    Some(word(&pair[size..])).filter(|&value| value > 0)
}

/// The parts of `/proc/PID/stat` that matter here, `proc(5)`.
struct Stat {
    session: u32,
    cpu: Duration,
    memory: u64,
}

impl Stat {
    fn of(process: u32) -> Option<Stat> {
        let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name stands in parentheses, and may contain anything. Behind it comes field 3.
        let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        let used = field(14)? + field(15)? + field(16)? + field(17)?;
        Some(Stat {
            session: u32::try_from(field(6)?).ok()?,
            cpu: Duration::from_millis(used.saturating_mul(1000) / ticks()),
            memory: field(24)?.saturating_mul(page_size()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_memory() {
        let before = Usage::now();
        let mut words = vec![0u64; 8 << 20];
        let mut state = 1u64;
        while (Usage::now().cpu - before.cpu) < Duration::from_millis(30) {
            for word in &mut words {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *word ^= state;
            }
        }
        assert!(words.iter().any(|&word| word != 0));
        assert!(Usage::now().memory >= before.memory + (32 << 20), "64 MB were written");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn children_are_found() {
        let mut child = std::process::Command::new("sleep").arg("10").spawn().expect("sleep is there");
        assert!(descendants(std::process::id()).contains(&child.id()));
        let _ = child.kill();
        let _ = child.wait();
        assert!(!descendants(std::process::id()).contains(&child.id()));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn others_are_seen_from_outside() {
        let stat = Stat::of(std::process::id()).expect("Linux tells");
        let inside = Usage::now();
        assert!(stat.memory > inside.memory / 2 && stat.memory < inside.memory * 2);
        assert!(stat.cpu <= inside.cpu + Duration::from_millis(20));
        assert!(processes_of_session(stat.session).contains(&std::process::id()));
        assert_eq!(Usage::of_process(u32::MAX), None);
    }
}
