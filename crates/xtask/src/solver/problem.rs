//! The problems: `.qm` files whose first line is `# sat: what it is` or `# unsat: what it is`.

use std::fs;
use std::path::{Path, PathBuf};

use quipu_model_text::Document;

/// A problem with the answer that is expected.
pub struct Problem {
    pub name: String,
    pub file: PathBuf,
    pub satisfiable: bool,
}

/// The problems of a folder in the order of their names, or those whose name contains a text.
pub fn all(folder: &str, only: Option<&str>) -> Result<Vec<Problem>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{folder}: {error}"))?;
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "qm"));
    files.sort();
    let problems = files.into_iter().map(load).collect::<Result<Vec<Problem>, String>>()?;
    Ok(problems.into_iter().filter(|problem| only.is_none_or(|only| problem.name.contains(only))).collect())
}

fn load(file: PathBuf) -> Result<Problem, String> {
    let text = read(&file)?;
    let first = text.lines().next().unwrap_or_default();
    let satisfiable = match first.split_once(':').map(|(word, _)| word) {
        Some("# sat") => true,
        Some("# unsat") => false,
        _ => return Err(format!("{}: the first line should say `# sat: …` or `# unsat: …`", file.display())),
    };
    let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Problem { name, file, satisfiable })
}

pub fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// The document that a text denotes.
pub fn parse(file: &Path, text: &str) -> Result<Document, String> {
    quipu_model_text::parse(text).map_err(|errors| {
        let lines: Vec<String> = errors
            .iter()
            .map(|error| quipu_model_text::render(error, text, &file.display().to_string()))
            .collect();
        lines.concat()
    })
}

/// The constraints of a file for other solvers.
pub fn smtlib(file: &Path) -> Result<String, String> {
    let document = parse(file, &read(file)?)?;
    quipu_model_text::smtlib(&document.model).map_err(|error| format!("{}: {error}", file.display()))
}
