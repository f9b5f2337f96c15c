//! The list of libraries: lines of words.
//!
//!     # a comment
//!     library NAME URL COMMIT
//!     PATH FLAG...
//!
//! A line `library` starts a library, whose directory below the sources has its name. The other lines are its files,
//! with the compiler flags that they need. Paths, also those in flags, are relative to the library's directory.

use std::fs;
use std::path::Path;

/// A library.
#[derive(PartialEq, Eq, Debug)]
pub struct Library {
    /// The name of its directory.
    pub name: String,
    /// Where it comes from.
    pub url: String,
    /// Which version of it.
    pub commit: String,
    /// What of it is covered.
    pub files: Vec<File>,
}

/// A file of a library.
#[derive(PartialEq, Eq, Debug)]
pub struct File {
    pub path: String,
    pub flags: Vec<String>,
}

/// The libraries of a list.
pub fn read(file: &Path) -> Result<Vec<Library>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    parse(&text).map_err(|error| format!("{}:{error}", file.display()))
}

fn parse(text: &str) -> Result<Vec<Library>, String> {
    let mut libraries: Vec<Library> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (&words[..], libraries.last_mut()) {
            ([], _) => {}
            ([first, ..], _) if first.starts_with('#') => {}
            (["library", name, url, commit], _) => libraries.push(Library {
                name: (*name).to_owned(),
                url: (*url).to_owned(),
                commit: (*commit).to_owned(),
                files: Vec::new(),
            }),
            ([path, flags @ ..], Some(library)) if *path != "library" => {
                let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
                library.files.push(File { path: (*path).to_owned(), flags });
            }
            _ => return Err(format!("{}: expected `library NAME URL COMMIT`", number + 1)),
        }
    }
    Ok(libraries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_libraries_with_files() {
        let libraries =
            parse("# two\nlibrary a u1 c1\nx.c -DX -Ii\n\ny.h\nlibrary b u2 c2\nz.c\n").expect("a list");
        let files = |n: usize| -> Vec<(&str, usize)> {
            libraries[n].files.iter().map(|file| (file.path.as_str(), file.flags.len())).collect()
        };
        assert_eq!(files(0), [("x.c", 2), ("y.h", 0)]);
        assert_eq!((files(1), libraries[1].commit.as_str()), (vec![("z.c", 0)], "c2"));
    }

    #[test]
    fn a_file_without_a_library_is_an_error() {
        assert_eq!(parse("x.c\n"), Err("1: expected `library NAME URL COMMIT`".to_owned()));
        assert!(parse("library a url\n").is_err());
    }
}
