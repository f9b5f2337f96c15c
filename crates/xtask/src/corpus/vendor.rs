//! Brings the sources of the libraries here with `cargo vendor`.
//!
//! Every library gets a scratch project with one dependency, so that crates that exclude each other (because
//! they bring different versions of a native library) can still stand side by side.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::library::{Content, Crate, Library};

/// Where the sources are.
#[derive(Debug)]
pub struct Places {
    /// The directory of everything below.
    pub root: PathBuf,
    /// The directory of the unpacked crates.
    pub vendored: PathBuf,
}

impl Places {
    fn new() -> Result<Places, String> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let workspace =
            workspace.canonicalize().map_err(|error| format!("cannot find the workspace: {error}"))?;
        let root = workspace.join("target/corpus");
        Ok(Places { vendored: root.join("vendor"), root })
    }

    /// The directory of a library's crate, if it is unpacked.
    pub fn crate_dir(&self, library: &Library) -> Option<PathBuf> {
        library.crates().next().and_then(|own| self.dir_of(own))
    }

    fn dir_of(&self, krate: Crate) -> Option<PathBuf> {
        let exact = format!("{}-{}", krate.name, krate.version);
        let with_metadata = format!("{exact}+");
        let fits = |name: &str| name == exact || name.starts_with(&with_metadata);
        let entries = fs::read_dir(&self.vendored).ok()?.flatten();
        entries.filter(|entry| entry.file_name().to_str().is_some_and(fits)).map(|entry| entry.path()).next()
    }

    /// The directory of the files that a library's build makes.
    pub fn generated_dir(&self, library: &Library) -> PathBuf {
        self.root.join("generated").join(library.name)
    }

    fn project_dir(&self, library: &Library) -> PathBuf {
        self.root.join("projects").join(library.name)
    }
}

/// Unpacks the libraries that are not there yet and makes their generated files.
pub fn unpack(libraries: &[&Library]) -> Result<Places, String> {
    let places = Places::new()?;
    let is_missing = |library: &&Library| library.crates().any(|krate| places.dir_of(krate).is_none());
    let missing: Vec<&Library> = libraries.iter().copied().filter(is_missing).collect();
    if !missing.is_empty() {
        vendor(&missing, &places)?;
    }
    for library in libraries {
        generate(library, &places)?;
    }
    Ok(places)
}

/// Removes what [`unpack`] made.
pub fn remove(places: &Places) -> Result<(), String> {
    fs::remove_dir_all(&places.root)
        .map_err(|error| format!("cannot remove {}: {error}", places.root.display()))
}

fn vendor(libraries: &[&Library], places: &Places) -> Result<(), String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["vendor", "--versioned-dirs", "--no-delete"]);
    for (n, library) in libraries.iter().enumerate() {
        let manifest = write_project(library, places)?;
        command.arg(if n == 0 { "--manifest-path" } else { "--sync" }).arg(manifest);
    }
    let output =
        command.arg(&places.vendored).output().map_err(|error| format!("cannot start cargo: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("cargo vendor failed:\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// The manifest of a project, up to its dependencies.
const PROJECT: &str = "\
[package]
name = \"corpus\"
version = \"0.0.0\"
edition = \"2021\"

[lib]
path = \"lib.rs\"

[workspace]

[dependencies]
";

/// Writes a project that depends on the library's crates only; the result is its manifest.
fn write_project(library: &Library, places: &Places) -> Result<PathBuf, String> {
    let mut manifest = PROJECT.to_string();
    for krate in library.crates() {
        let (name, version) = (krate.name, krate.version);
        manifest += &format!("{name} = {{ version = \"={version}\", default-features = false }}\n");
    }
    let dir = places.project_dir(library);
    write(&dir.join("lib.rs"), "")?;
    write(&dir.join("Cargo.toml"), &manifest)?;
    Ok(dir.join("Cargo.toml"))
}

fn generate(library: &Library, places: &Places) -> Result<(), String> {
    for file in library.generated {
        let text = match file.content {
            Content::Text(text) => text.to_string(),
            Content::Template(path, replacements) => {
                let path = places.crate_dir(library).unwrap_or_default().join(path);
                let text =
                    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                replacements.iter().fold(text, |text, (from, to)| text.replace(from, to))
            }
        };
        write(&places.generated_dir(library).join(file.path), &text)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let failed = |error| format!("cannot write {}: {error}", path.display());
    fs::create_dir_all(dir).map_err(failed)?;
    fs::write(path, text).map_err(failed)
}
