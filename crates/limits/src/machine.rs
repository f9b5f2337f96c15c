//! How much memory a run may take if nobody says so.
//!
//! Containers limit memory by control groups; who takes more is killed. So the limits of all groups around this process
//! count as well as what the machine has.

use std::path::{Path, PathBuf};

/// One of so many parts of the memory is left alone: others live here, too.
const PARTS: u64 = 2;
/// Of what is free at the start, this part in eight is the most. What others need meanwhile has to come from somewhere.
const EIGHTHS_OF_FREE: u64 = 6;
/// What is taken where nothing is known.
const UNKNOWN: u64 = 2 << 30;

/// A safe part of what the machine has.
pub fn default_memory() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = group_files(&groups).into_iter().filter_map(|path| limit(&path));
    safe_part(kilobytes(&info, "MemTotal:"), kilobytes(&info, "MemAvailable:"), limits.min())
}

fn safe_part(total: Option<u64>, free: Option<u64>, group: Option<u64>) -> u64 {
    let Some(most) = total.into_iter().chain(group).min() else { return UNKNOWN };
    let part = most / PARTS;
    free.map_or(part, |free| part.min(free / 8 * EIGHTHS_OF_FREE))
}

fn kilobytes(info: &str, name: &str) -> Option<u64> {
    let line = info.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The files with the limits of the groups that a process is in: its own and those around it. A line is
/// `NUMBER:CONTROLLERS:PATH`, without controllers in version 2.
fn group_files(groups: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let inside = Path::new(path.trim_start_matches('/'));
        // In a container the path may be one outside of it; then only the root is there to be read.
        files.extend(inside.ancestors().map(|folder| Path::new(root).join(folder).join(file)));
    }
    files
}

/// The word "max", and numbers beyond all memory, mean that there is no limit; the machine's own is then less.
fn limit(file: &Path) -> Option<u64> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIGABYTE: u64 = 1 << 30;

    #[test]
    fn the_least_of_all_limits_counts() {
        let part = |total: u64, free: u64, group: Option<u64>| {
            safe_part(Some(total * GIGABYTE), Some(free * GIGABYTE), group.map(|group| group * GIGABYTE))
        };
        assert_eq!(part(16, 16, None), 8 * GIGABYTE);
        assert_eq!(part(16, 16, Some(4)), 2 * GIGABYTE);
        assert_eq!(part(16, 4, None), 3 * GIGABYTE);
        assert_eq!(part(16, 16, Some(u64::MAX >> 30)), 8 * GIGABYTE);
        assert_eq!(safe_part(None, None, None), UNKNOWN);
        assert!(default_memory() > 0);
    }

    #[test]
    fn groups_and_those_around_them() {
        let told = |text: &str| -> Vec<String> {
            group_files(text).iter().map(|path| path.display().to_string()).collect()
        };
        assert_eq!(
            told("0::/user/one\n"),
            [
                "/sys/fs/cgroup/user/one/memory.max",
                "/sys/fs/cgroup/user/memory.max",
                "/sys/fs/cgroup/memory.max"
            ]
        );
        assert_eq!(
            told("5:cpu:/a\n4:memory,hugetlb:/b\n"),
            ["/sys/fs/cgroup/memory/b/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        );
    }

    #[test]
    fn the_lines_of_the_kernel() {
        let info = "MemTotal:       2048 kB\nMemFree:   1 kB\nMemAvailable:  1024 kB\n";
        assert_eq!(kilobytes(info, "MemTotal:"), Some(2 << 20));
        assert_eq!(kilobytes(info, "MemAvailable:"), Some(1 << 20));
        assert_eq!(kilobytes(info, "SwapTotal:"), None);
    }
}
