//! A folder for files that are needed during the run only.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder that goes away with its owner.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Result<Scratch, String> {
        let path = std::env::temp_dir().join(format!("quipu-cover-{}", std::process::id()));
        fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Scratch(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("warning: {}: {error}", self.0.display());
        }
    }
}
