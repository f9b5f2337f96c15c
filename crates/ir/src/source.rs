//! Places in the program's source.

use quipu_base::define_id;
use serde::{Deserialize, Serialize};

define_id!(
    /// A source file of a module.
    FileId, "file"
);

/// A stretch of source text. Lines and columns count from 1, columns in bytes; the end is exclusive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Line of the first byte.
    pub line: u32,
    /// Column of the first byte.
    pub column: u32,
    /// Line of the byte after the last.
    pub end_line: u32,
    /// Column of the byte after the last.
    pub end_column: u32,
}
