//! A difference between the two sides, as a file to look at.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::generate::{self, Program};

use super::observation::Observation;

/// A program on which the sides differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The number of the program in its run.
    pub number: u64,
    /// The program.
    pub program: Program,
    /// What each side saw, with its name.
    pub observations: Vec<(&'static str, Observation)>,
}

impl Difference {
    /// Writes the program as a complete file, with the observations at its end, into a directory.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn save(&self, dir: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(dir)?;
        let path = dir.join(format!("difference-{}.c", self.number));
        let source = generate::source(std::slice::from_ref(&self.program));
        fs::write(&path, format!("{source}{}", self.comment()))?;
        Ok(path)
    }

    /// The observations, each as a line comment.
    fn comment(&self) -> String {
        let lines = self.observations.iter().map(|(side, observation)| {
            let text = observation.to_string().replace('\n', "\n//   ");
            format!("// {side}: {text}\n")
        });
        lines.collect()
    }
}
