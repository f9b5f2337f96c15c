//! The functions that the files of the libraries define.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::list::{File, Library};

/// A function to cover.
#[derive(Debug)]
pub struct Task {
    /// The library's place in the list.
    pub library: usize,
    /// The directory of the library.
    pub directory: PathBuf,
    /// The file, from there.
    pub file: String,
    /// The compiler flags.
    pub flags: Vec<String>,
    pub function: String,
}

impl Task {
    /// A name that no other function has.
    pub fn name(&self) -> String {
        let library = self.directory.file_name().unwrap_or_default().to_string_lossy();
        format!("{library}/{}/{}", self.file, self.function)
    }
}

/// All functions of the libraries; and the files that the system's compiler rejects, with its message.
pub fn tasks(libraries: &[Library], sources: &Path) -> Result<(Vec<Task>, Vec<String>), String> {
    let (mut tasks, mut rejected) = (Vec::new(), Vec::new());
    for (library, one) in libraries.iter().enumerate() {
        let directory = sources.join(&one.name);
        let directory = directory
            .canonicalize()
            .map_err(|error| format!("{}: {error}; get it from {}", directory.display(), one.url))?;
        for file in &one.files {
            match names(&directory, file) {
                Ok(names) => tasks.extend(names.into_iter().map(|function| Task {
                    library,
                    directory: directory.clone(),
                    file: file.path.clone(),
                    flags: file.flags.clone(),
                    function,
                })),
                Err(error) => rejected.push(format!("{}/{}: {error}", one.name, file.path)),
            }
        }
    }
    Ok((tasks, rejected))
}

/// The functions of a file, as the system's compiler tells, so that those count that Quipu does not know. Inline
/// functions of headers are functions of the headers.
fn names(directory: &Path, file: &File) -> Result<Vec<String>, String> {
    let mut command = Command::new("cc");
    command.args(["-x", "c", "-w", "-O0", "-S", "-o", "-"]).args(&file.flags).arg(&file.path);
    let output =
        command.current_dir(directory).env("LC_ALL", "C").output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(text.lines().find(|line| line.contains("error:")).unwrap_or("no message").to_owned());
    }
    Ok(in_assembly(&String::from_utf8_lossy(&output.stdout)))
}

fn in_assembly(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let (name, kind) = line.trim().strip_prefix(".type")?.trim().split_once(',')?;
        (kind.trim() == "@function").then(|| name.to_owned())
    };
    text.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn functions_are_told_from_objects() {
        let text = "\t.type\tf, @function\nf:\n\t.type\ttable, @object\n\t.type\tg, @function\n";
        assert_eq!(super::in_assembly(text), ["f", "g"]);
    }
}
