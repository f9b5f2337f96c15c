//! Places as users write them.

use std::path::{Path, PathBuf};

use quipu_cover::{Located, Location, file_named, locate};

use crate::exit::Exit;
use crate::load;
use crate::search::Loaded;

/// `FILE:LINE[:COL][/then|/else]`.
pub fn parse(text: &str) -> Result<(PathBuf, Location), String> {
    let wrong = || {
        format!(
            "error: `{text}` is no place\n  = hint: FILE:LINE, FILE:LINE:COLUMN, with /then or /else behind it"
        )
    };
    let (place, outcome) = match text.rsplit_once('/') {
        Some((place, "then")) => (place, Some(true)),
        Some((place, "else")) => (place, Some(false)),
        _ => (text, None),
    };
    let mut parts: Vec<&str> = place.rsplitn(3, ':').collect();
    parts.reverse();
    let number = |text: &str| text.parse::<u32>().ok().filter(|&number| number > 0);
    match parts[..] {
        [file, line, column] if number(line).is_some() && number(column).is_some() => {
            let location =
                Location { line: number(line).ok_or_else(wrong)?, column: number(column), outcome };
            Ok((PathBuf::from(file), location))
        }
        [.., line] if number(line).is_some() => {
            let file = &place[..place.len() - line.len() - 1];
            Ok((
                PathBuf::from(file),
                Location { line: number(line).ok_or_else(wrong)?, column: None, outcome },
            ))
        }
        _ => Err(wrong()),
    }
}

/// What is at the place.
pub fn find(loaded: &Loaded, file: &Path, location: &Location) -> Result<Located, Exit> {
    let found = file_named(&loaded.program, &file.to_string_lossy())
        .and_then(|file| locate(&loaded.program, file, location));
    found.ok_or_else(|| {
        let what = if location.outcome.is_some() { "decision" } else { "statement" };
        let hint = "quipu show --decisions lists statements and decisions with their lines";
        let place = format!("{}:{}", file.display(), location.line);
        load::complain(&format!("error: there is no {what} at {place}\n  = hint: {hint}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let location = |line, column, outcome| Location { line, column, outcome };
        assert_eq!(parse("a/b.c:12").unwrap(), (PathBuf::from("a/b.c"), location(12, None, None)));
        assert_eq!(parse("b.c:12:5").unwrap(), (PathBuf::from("b.c"), location(12, Some(5), None)));
        assert_eq!(parse("b.c:12/else").unwrap(), (PathBuf::from("b.c"), location(12, None, Some(false))));
        assert_eq!(
            parse("x:y.c:3:4/then").unwrap(),
            (PathBuf::from("x:y.c"), location(3, Some(4), Some(true)))
        );
        for wrong in ["b.c", "b.c:", "b.c:0", "b.c:x", ":", "b.c/then"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
