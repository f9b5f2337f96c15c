//! Files that commands write.
//!
//! A file appears as a whole or not at all: it is written under another name next to its place, and renamed. A source of
//! the run is never replaced, and a file that somebody else wrote only if the user insists.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use quipu_cfront::Program;

/// What may be replaced.
#[derive(Clone, Copy, Debug)]
pub enum Replace<'a> {
    /// Files that start with this: we wrote them.
    Marked(&'a str),
    /// Every file but sources.
    Forced,
    /// No file.
    Nothing,
}

/// A file to be written.
#[derive(Debug)]
pub struct OutputFile {
    /// Where it goes, with no link at its end.
    path: PathBuf,
    /// As the user names it.
    name: String,
    /// Whether it is a device or a pipe, into which one can only write.
    special: bool,
}

/// A file that is not yet in its place. It disappears unless it gets there.
#[derive(Debug)]
pub struct Draft<'a> {
    output: &'a OutputFile,
    path: PathBuf,
}

impl OutputFile {
    /// A file that can be written later: what would stop that is an error now.
    pub fn new(path: &Path, sources: &[PathBuf], replace: Replace<'_>) -> Result<OutputFile, String> {
        let name = path.display().to_string();
        let output = match fs::metadata(path) {
            Err(_) => OutputFile { path: path.to_path_buf(), name, special: false },
            Ok(about) if about.is_dir() => return Err(format!("error: {name} is a directory")),
            Ok(about) => {
                let path = path.canonicalize().map_err(|error| unwritable(&name, &error))?;
                OutputFile { path, name, special: !about.is_file() }
            }
        };
        output.spare(sources.iter().map(PathBuf::as_path))?;
        if !output.special {
            output.check_present(replace)?;
        }
        output.draft().map(drop).map_err(|error| unwritable(&output.name, &error))?;
        Ok(output)
    }

    /// An error if this is one of some files, by whatever name.
    fn spare<'a>(&self, mut files: impl Iterator<Item = &'a Path>) -> Result<(), String> {
        let Ok(own) = fs::metadata(&self.path) else { return Ok(()) };
        let is_own = |file: &Path| {
            fs::metadata(file).is_ok_and(|other| (own.dev(), own.ino()) == (other.dev(), other.ino()))
        };
        match files.find(|file| is_own(file)) {
            Some(file) if file.display().to_string() == self.name => {
                Err(format!("error: {} is a source of this run, which is never replaced", self.name))
            }
            Some(file) => Err(format!(
                "error: {} is {}, a source of this run, which is never replaced",
                self.name,
                file.display()
            )),
            None => Ok(()),
        }
    }

    /// An error if this is a file of a program, also one that is only included.
    pub fn spare_program(
        &self,
        program: &Program,
        files: &[PathBuf],
        flags: &[String],
        compiler: &str,
    ) -> Result<(), String> {
        if !self.path.exists() {
            return Ok(());
        }
        let known = program.sources.iter().map(|source| PathBuf::from(&source.name));
        // Only the compiler knows headers of which nothing but macros is used. Without one, nothing more can be known.
        let told = quipu_replay::dependencies(compiler, flags, files).unwrap_or_default();
        let all: Vec<PathBuf> = known.chain(told).collect();
        self.spare(all.iter().map(PathBuf::as_path))
    }

    /// Whether a file that is there may go.
    fn check_present(&self, replace: Replace<'_>) -> Result<(), String> {
        if !self.path.exists() {
            return Ok(());
        }
        let is_ours = match replace {
            Replace::Marked(marker) => starts_with(&self.path, marker),
            Replace::Forced => true,
            Replace::Nothing => false,
        };
        match (is_ours, replace) {
            (true, _) => {
                let opened = OpenOptions::new().write(true).open(&self.path);
                opened.map(drop).map_err(|error| unwritable(&self.name, &error))
            }
            (false, Replace::Nothing) => Err(format!("error: {} exists", self.name)),
            (false, _) => Err(format!(
                "error: {} exists, and was not written by quipu\n  = hint: --force replaces it",
                self.name
            )),
        }
    }

    /// As the user names it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The directory in which it will be; none for a device.
    pub fn directory(&self) -> Option<&Path> {
        let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        (!self.special).then(|| parent.unwrap_or(Path::new(".")))
    }

    /// An empty file next to the place.
    pub fn draft(&self) -> io::Result<Draft<'_>> {
        let temporary = std::env::temp_dir();
        let directory = self.directory().unwrap_or(&temporary);
        let file = self.path.file_name().unwrap_or_default().to_string_lossy();
        for number in 0.. {
            let path = directory.join(format!(".quipu-{}-{number}-{file}", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(_) => return Ok(Draft { output: self, path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("numbers do not end")
    }

    /// Writes the file at once.
    pub fn write(&self, text: &str) -> Result<(), String> {
        let written = self.draft().and_then(|draft| {
            draft.write(text)?;
            draft.publish()
        });
        written.map_err(|error| unwritable(&self.name, &error))
    }
}

impl Draft<'_> {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it another text.
    pub fn write(&self, text: &str) -> io::Result<()> {
        let mut file = File::create(&self.path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    /// Puts it in its place.
    pub fn publish(self) -> io::Result<()> {
        let target = &self.output.path;
        if self.output.special {
            let text = fs::read(&self.path)?;
            return OpenOptions::new().write(true).open(target)?.write_all(&text);
        }
        if let Ok(about) = fs::metadata(target) {
            fs::set_permissions(&self.path, about.permissions())?;
        }
        fs::rename(&self.path, target)
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        // It is gone if it is in its place.
        let _ = fs::remove_file(&self.path);
    }
}

fn starts_with(path: &Path, marker: &str) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(marker.len() as u64).read_to_end(&mut start));
    // Nothing is lost with an empty file.
    read.is_ok() && (start.is_empty() || start == marker.as_bytes())
}

fn unwritable(name: &str, error: &io::Error) -> String {
    format!("error: cannot write {name}: {error}")
}
