//! How often, and since when, the user wants to end.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// Counts Ctrl-C, and requests of the system to terminate.
pub struct Interruption {
    count: Arc<AtomicU32>,
    since: Arc<OnceLock<Instant>>,
}

impl Interruption {
    /// Counts from now on.
    pub fn install() -> Interruption {
        let (count, since) = (Arc::new(AtomicU32::new(0)), Arc::new(OnceLock::new()));
        let (counter, first) = (count.clone(), since.clone());
        let handler = move || {
            first.get_or_init(Instant::now);
            counter.fetch_add(1, Ordering::SeqCst);
        };
        if ctrlc::set_handler(handler).is_err() {
            eprintln!("warning: Ctrl-C will end the program without an answer");
        }
        Interruption { count, since }
    }

    pub fn count(&self) -> u32 {
        self.count.load(Ordering::SeqCst)
    }

    /// When it was first.
    pub fn since(&self) -> Option<Instant> {
        self.since.get().copied()
    }
}
