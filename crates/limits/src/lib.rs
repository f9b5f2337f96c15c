//! What work may cost, and what it has cost: CPU time and memory of processes (ADR 30).
//!
//! Effort is counted by those who spend it, and decides what is found. Time and memory are nets below that: an
//! [`Alarm`] is raised when one of them is used up, and whoever works looks at it now and then.

mod alarm;
mod machine;
mod processes;
mod size;
mod usage;

use std::time::Duration;

pub use alarm::{Alarm, Cause};
pub use machine::default_memory;
pub use processes::{ask_to_end, end_group, end_process, end_session, lead_session};
pub use size::{parse_size, size_text};
pub use usage::{Usage, cpu_of, descendants};

/// The part of a limit by which it may be exceeded, and the least time.
const TOLERANCE_PART: u32 = 10;
const LEAST_TOLERANCE: Duration = Duration::from_secs(2);

/// By how much a limit of time may be exceeded. Who looks at the alarm ends well before; who does not is ended.
pub fn tolerance(limit: Duration) -> Duration {
    (limit / TOLERANCE_PART).max(LEAST_TOLERANCE)
}
