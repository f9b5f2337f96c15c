//! What this process has used so far, as Linux tells it.

use std::fs;

/// The length of a tick of `/proc/self/stat`: user space always sees 100 per second on Linux.
const MS_PER_TICK: u64 = 10;

/// The CPU time of all threads so far, in milliseconds.
pub fn cpu_ms() -> u64 {
    ticks(0, 2) * MS_PER_TICK
}

/// The same, with that of the child processes that have ended.
pub fn cpu_with_children_ms() -> u64 {
    ticks(0, 4) * MS_PER_TICK
}

/// The CPU time of the child processes that have ended, in milliseconds.
pub fn cpu_of_children_ms() -> u64 {
    ticks(2, 2) * MS_PER_TICK
}

/// The CPU time of the calling thread, which must be the first of the process, in nanoseconds.
pub fn thread_cpu_ns() -> u64 {
    // The kernel brings the count up to date when the thread yields.
    std::thread::yield_now();
    let stat = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// The resident memory now, in KiB.
pub fn resident_kib() -> u64 {
    status("VmRSS:")
}

/// The sum of `n` of utime, stime, cutime and cstime, without those in front.
fn ticks(front: usize, n: usize) -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program stands in parentheses and may contain blanks; utime is the twelfth field behind it.
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    behind_name.split_whitespace().skip(11 + front).take(n).filter_map(|word| word.parse::<u64>().ok()).sum()
}

/// The largest resident memory so far, in KiB.
pub fn peak_kib() -> u64 {
    status("VmHWM:")
}

/// A line of `/proc/self/status`, in KiB.
fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()).and_then(|word| word.parse().ok()).unwrap_or(0)
}
