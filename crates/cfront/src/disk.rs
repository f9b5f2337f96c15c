//! The file system that the preprocessor reads through: real files, and the headers that `rucc` ships.

use std::io;
use std::path::{Path, PathBuf};

use rucc_diag::SourceBytes;
use rucc_session::{FileSystem, runtime};

use crate::diagnostic::Failure;

/// No source file is larger than this; a larger one is refused instead of filling memory.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// A list of unimplemented functions that glibc installs only with its 32-bit library. Nothing depends on its content.
const STUBS_32: &str = "gnu/stubs-32.h";

/// Real files.
#[derive(Debug)]
pub(crate) struct Disk;

impl FileSystem for Disk {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        if let Some(header) = runtime::read(path) {
            return Ok(header);
        }
        match read_regular(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && path.ends_with(STUBS_32) => {
                Ok(SourceBytes::new(Vec::new()))
            }
            read => read.map(|bytes| SourceBytes::new(with_ended_line(bytes))),
        }
    }

    fn identity(&self, path: &Path) -> PathBuf {
        path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
    }
}

/// The bytes of a file that the user named.
pub(crate) fn open(path: &Path) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    if path.is_dir() {
        return Err(Failure::with_hint(
            format!("{shown} is a directory, not a C file"),
            "name the C files in it",
        ));
    }
    read_regular(path).map_err(|error| Failure::message(format!("cannot read {shown}: {error}")))
}

/// Reads a regular file of sane size. Devices and pipes may never end, so they are refused.
fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "not a regular file"));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "file too large"));
    }
    std::fs::read(path)
}

/// The lexer does not get past a spliced line that ends the file inside a comment: a backslash with nothing but blanks
/// behind it. Two more newlines help it, and mean nothing.
pub(crate) fn with_ended_line(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.trim_ascii_end().ends_with(b"\\") {
        bytes.extend_from_slice(b"\n\n");
    }
    bytes
}
