//! The lists of programs: lines of words.
//!
//!     # a comment
//!     section TITLE
//!     EXPECTED PATH FUNCTION FLAG... | CBMC-FLAG...
//!
//! `EXPECTED` is `proved` or `violated`: what is right to say about the assertions of the program, all together. The
//! flags of the compiler are for both tools. Those behind the bar are for CBMC only, which has to be told how often
//! loops turn.

use std::fs;
use std::path::{Path, PathBuf};

/// What is asked about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    pub section: String,
    /// Where the program is.
    pub file: PathBuf,
    /// The path as the list has it.
    pub path: String,
    pub function: String,
    pub flags: Vec<String>,
    pub cbmc_flags: Vec<String>,
    /// Whether the assertions hold.
    pub holds: bool,
}

impl Task {
    /// What it is called in tables.
    pub fn name(&self) -> String {
        let stem = self.path.strip_suffix(".c").unwrap_or(&self.path);
        [&[stem.to_owned()], self.flags.as_slice()].concat().join(" ")
    }
}

/// The tasks of a list whose paths start at a folder.
pub fn read(list: &Path, folder: &Path) -> Result<Vec<Task>, String> {
    let text = fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
    parse(&text, folder).map_err(|error| format!("{}:{error}", list.display()))
}

fn parse(text: &str, folder: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    let mut section = None;
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: &str| Err(format!("{}: {what}", number + 1));
        let (common, of_cbmc) = line.split_once('|').unwrap_or((line, ""));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        match (&words(common)[..], &section) {
            ([], _) => {}
            ([first, ..], _) if first.starts_with('#') => {}
            ([first, title @ ..], _) if first == "section" => section = Some(title.join(" ")),
            ([expected, path, function, flags @ ..], Some(section)) => {
                let holds = match expected.as_str() {
                    "proved" => true,
                    "violated" => false,
                    _ => return wrong("expected `proved` or `violated`"),
                };
                tasks.push(Task {
                    section: section.clone(),
                    file: folder.join(path),
                    path: path.clone(),
                    function: function.clone(),
                    flags: flags.to_vec(),
                    cbmc_flags: words(of_cbmc),
                    holds,
                });
            }
            _ => return wrong("expected `EXPECTED PATH FUNCTION` in a section"),
        }
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_tasks_in_sections() {
        let text = "# two\nsection A b\nproved x/a.c check -DN=5 -DX | --unwind 7\n\nviolated y.c f\n";
        let tasks = parse(text, Path::new("/d")).expect("a list");
        assert_eq!(tasks.len(), 2);
        assert_eq!((tasks[0].name().as_str(), tasks[0].holds), ("x/a -DN=5 -DX", true));
        assert_eq!((&tasks[0].section, tasks[0].file.as_path()), (&"A b".to_owned(), Path::new("/d/x/a.c")));
        assert_eq!(tasks[0].cbmc_flags, ["--unwind", "7"]);
        assert_eq!((tasks[1].name().as_str(), tasks[1].holds), ("y", false));
        assert!(tasks[1].cbmc_flags.is_empty());
    }

    #[test]
    fn other_lines_are_errors() {
        assert!(parse("proved a.c f\n", Path::new("")).is_err());
        assert!(parse("section A\nperhaps a.c f\n", Path::new("")).is_err());
        assert!(parse("section A\nproved a.c\n", Path::new("")).is_err());
    }
}
