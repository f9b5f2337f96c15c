//! A file with another text, or with additions behind it, for the preprocessor.
//!
//! The text is written to a file of our own. Line markers in it tell the places of the user's files, and includes are
//! looked for where the user's file stands.

use std::fs;
use std::path::{Path, PathBuf};

use quipu_cfront::Addition;

use crate::scratch::Scratch;
use crate::{ReplayError, ReplaySetup};

/// What the preprocessor reads for a file of the program.
pub(crate) struct Overlay {
    pub(crate) source: PathBuf,
    /// The flags that make its includes those of the user's file.
    pub(crate) flags: Vec<String>,
}

/// What stands for file `n`: itself, unless it is edited or something is added to it.
pub(crate) fn overlay(setup: &ReplaySetup<'_>, scratch: &Scratch, n: usize) -> Result<Overlay, ReplayError> {
    let file = &setup.files[n];
    let edit = setup.edits.iter().rfind(|edit| edit.file == n);
    let additions: Vec<&Addition> = setup.additions.iter().filter(|addition| addition.file == n).collect();
    if edit.is_none() && additions.is_empty() {
        return Ok(Overlay { source: file.clone(), flags: Vec::new() });
    }
    let mut text = marker(&file.to_string_lossy());
    let bytes = fs::read(file)?;
    text.extend(edit.map_or_else(|| bytes.clone(), |edit| edit.apply(&bytes)));
    for addition in additions {
        text.push(b'\n');
        text.extend(marker(&addition.name));
        text.extend_from_slice(addition.text.as_bytes());
    }
    text.push(b'\n');
    let source = scratch.file(&format!("edited{n}.c"));
    fs::write(&source, text)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(Overlay { source, flags: vec!["-iquote".to_string(), folder.display().to_string()] })
}

/// The directive behind which the lines of a file start.
fn marker(name: &str) -> Vec<u8> {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("#line 1 \"{name}\"\n").into_bytes()
}
