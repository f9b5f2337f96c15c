//! The file system that the preprocessor reads through: real files, and the headers that `rucc` ships.

use std::io;
use std::path::{Path, PathBuf};

use rucc_diag::SourceBytes;
use rucc_session::{FileSystem, runtime};

/// No source file is larger than this; a larger one is refused instead of filling memory.
pub(crate) const MAX_FILE_BYTES: u64 = 256 << 20;

/// Real files.
#[derive(Debug)]
pub(crate) struct Disk;

impl FileSystem for Disk {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        if let Some(header) = runtime::read(path) {
            return Ok(header);
        }
        read_regular(path).map(SourceBytes::new)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
    }
}

/// Reads a regular file of sane size. Devices and pipes may never end, so they are refused.
pub(crate) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "not a regular file"));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "file too large"));
    }
    std::fs::read(path)
}
