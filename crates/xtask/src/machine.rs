//! Where and when something was measured.

use std::fs;
use std::process::Command;

/// Today.
pub fn date() -> String {
    let output = Command::new("date").arg("-I").output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

/// The processor, and how many cores of it there are.
pub fn name() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = text.lines().filter(|line| line.starts_with("processor")).count();
    format!("{}, {cores} shared cores", name.map_or("an unnamed processor", |(_, name)| name.trim()))
}
