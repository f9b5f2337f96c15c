//! The files of the libraries, each with its flags.

use std::fs;
use std::path::{Path, PathBuf};

use super::library::Library;
use super::vendor::Places;

/// A C file to compile.
#[derive(Clone, Debug)]
pub struct Source {
    /// The library's place in the list of libraries.
    pub library: usize,
    /// The directory in which it is compiled.
    pub dir: PathBuf,
    /// Its path from there.
    pub path: String,
    /// The compiler flags.
    pub flags: Vec<String>,
}

/// All files of the libraries.
pub fn files(libraries: &[&Library], places: &Places) -> Result<Vec<Source>, String> {
    let mut files = Vec::new();
    for (index, library) in libraries.iter().enumerate() {
        let dir = places.crate_dir(library).ok_or_else(|| format!("{} was not unpacked", library.krate))?;
        let generated = places.generated_dir(library);
        let flags = library.flags_at(&generated.to_string_lossy(), &places.vendored.to_string_lossy());
        for path in select(library, &dir)? {
            files.push(Source { library: index, dir: dir.clone(), path, flags: flags.clone() });
        }
    }
    Ok(files)
}

/// The paths that the patterns of a library select, in order and each once.
fn select(library: &Library, dir: &Path) -> Result<Vec<String>, String> {
    let mut paths: Vec<String> = Vec::new();
    for pattern in library.sources {
        let found = expand(pattern.trim_start_matches('!'), dir);
        if found.is_empty() {
            return Err(format!("{}: nothing matches `{pattern}`", library.name));
        }
        if pattern.starts_with('!') {
            paths.retain(|path| !found.contains(path));
        } else {
            paths.extend(found);
        }
    }
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// The paths that a pattern stands for: a path, `dir/*SUFFIX` or `dir/**/*SUFFIX`.
fn expand(pattern: &str, dir: &Path) -> Vec<String> {
    let Some((base, suffix)) = pattern.split_once("/*") else {
        return if dir.join(pattern).is_file() { vec![pattern.to_string()] } else { Vec::new() };
    };
    let mut found = Vec::new();
    match suffix.strip_prefix("*/*") {
        Some(suffix) => list(dir, base, suffix, true, &mut found),
        None => list(dir, base, suffix, false, &mut found),
    }
    found
}

/// Adds the files of `base` whose names end in `suffix`.
fn list(dir: &Path, base: &str, suffix: &str, deep: bool, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(dir.join(base)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let path = format!("{base}/{}", name.to_string_lossy());
        if entry.path().is_dir() {
            if deep {
                list(dir, &path, suffix, deep, found);
            }
        } else if path.ends_with(suffix) {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_select_files() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(expand("src/main.rs", here), ["src/main.rs"]);
        let (shallow, deep) = (expand("src/*.rs", here), expand("src/**/*.rs", here));
        let nested = "src/corpus/source.rs".to_string();
        assert!(shallow.contains(&"src/main.rs".to_string()) && !shallow.contains(&nested));
        assert!(deep.contains(&nested));
        assert!(expand("src/*.c", here).is_empty());
    }
}
