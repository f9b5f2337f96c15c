//! A directory of our own that disappears with us.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A new directory below the system's temporary directory, removed when dropped.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    pub(crate) fn new() -> io::Result<Scratch> {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        loop {
            let n = COUNTER.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("quipu-replay-{}-{n}", std::process::id()));
            // A directory that somebody else made is not ours to use, nor to remove.
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Scratch { path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover directory is a nuisance, not a reason to fail.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
