//! The text of a function that is made of clauses, with the clause that each of its lines stands for.

use crate::{ClausePlace, ToldLine};

#[derive(Default)]
pub(crate) struct Lines {
    text: String,
    n_lines: u32,
    told: Vec<ToldLine>,
}

impl Lines {
    /// Adds a line, without line breaks, that stands for a clause, or keeps values for it. Compilers tell it to be where the clause is.
    pub(crate) fn write(&mut self, line: &str, place: &ClausePlace, clause: &str, keeps: bool) {
        let file = place.file.replace('\\', "\\\\").replace('"', "\\\"");
        self.text.push_str(&format!("#line {} \"{file}\"\n{line}\n", place.line));
        self.n_lines += 2;
        self.told.push(ToldLine {
            line: self.n_lines,
            place: place.clone(),
            text: clause.to_string(),
            keeps,
        });
    }

    /// The text, and what its lines stand for.
    pub(crate) fn finish(self) -> (String, Vec<ToldLine>) {
        (self.text, self.told)
    }
}
