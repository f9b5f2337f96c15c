//! The folder of a run: the journal, and everything temporary. It disappears with the run, whatever becomes of the
//! processes that used it.

use std::io;
use std::path::{Path, PathBuf};

/// A new folder below the system's temporary folder, removed when dropped.
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    pub fn new() -> io::Result<RunFolder> {
        let mut number = 0;
        loop {
            let path = std::env::temp_dir().join(format!("quipu-run-{}-{number}", std::process::id()));
            // A folder that somebody else made is not ours to use, nor to remove.
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(RunFolder { path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // A leftover folder is a nuisance, not a reason to fail.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
