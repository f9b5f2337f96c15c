//! `quipu.toml`: what is known about the inputs of functions, in a file beside the source.

mod read;

use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::load;
use crate::search::Given;

/// The name under which such a file is looked for.
pub const FILE_NAME: &str = "quipu.toml";

/// What a file says.
#[derive(Debug)]
pub struct Config {
    /// The file, as it is named in messages.
    pub path: String,
    pub given: Given,
}

impl Config {
    /// The file that the user names, else the one nearest to the source; that it is used is told.
    pub fn for_source(
        named: Option<&Path>,
        ignored: bool,
        source: Option<&Path>,
    ) -> Result<Option<Config>, Exit> {
        let path = match named {
            Some(path) => Some(path.to_path_buf()),
            None if ignored => None,
            None => source.and_then(nearest),
        };
        path.map(|path| Config::open(&path)).transpose()
    }

    fn open(path: &Path) -> Result<Config, Exit> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| load::complain(&format!("error: cannot read {shown}: {error}")))?;
        let given = read::read(&shown, &text).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            load::complain(&errors.join("\n"))
        })?;
        eprintln!("note: using {shown}");
        Ok(Config { path: shown, given })
    }
}

/// The first such file in the folder of the source, or in one around it, but not outside of the repository.
fn nearest(source: &Path) -> Option<PathBuf> {
    let full = source.canonicalize().ok()?;
    let here = std::env::current_dir().ok()?;
    for folder in full.parent()?.ancestors() {
        let path = folder.join(FILE_NAME);
        if path.is_file() {
            // Below the current folder a short name says enough.
            return Some(path.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(path));
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
