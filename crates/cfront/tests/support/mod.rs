//! Golden files: `UPDATE_EXPECT=1` writes what the test got.

use std::path::Path;

/// Compares text with a golden file.
pub fn expect(path: &Path, got: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, got).unwrap();
        return;
    }
    let wanted = std::fs::read_to_string(path).unwrap_or_default();
    assert!(wanted == got, "{} differs; UPDATE_EXPECT=1 writes it anew. Got:\n{got}", path.display());
}
