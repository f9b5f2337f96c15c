//! What this process has used so far, as Linux tells it.

use std::fs;

/// The length of a tick of `/proc/self/stat`: user space always sees 100 per second on Linux.
const MS_PER_TICK: u64 = 10;

/// The CPU time of all threads so far, in milliseconds.
pub fn cpu_ms() -> u64 {
    ticks(2) * MS_PER_TICK
}

/// The same, with that of the child processes that have ended.
pub fn cpu_with_children_ms() -> u64 {
    ticks(4) * MS_PER_TICK
}

/// The sum of the first `n` of utime, stime, cutime and cstime.
fn ticks(n: usize) -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program stands in parentheses and may contain blanks; utime is the twelfth field behind it.
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    behind_name.split_whitespace().skip(11).take(n).filter_map(|word| word.parse::<u64>().ok()).sum()
}

/// The largest resident memory so far, in KiB.
pub fn peak_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()).and_then(|word| word.parse().ok()).unwrap_or(0)
}
