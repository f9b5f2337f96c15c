//! Insertions into a text, nested as the constructs are that they enclose.

use std::cmp::Reverse;
use std::ops::Range;

/// Insertions and replacements that are applied together.
#[derive(Default)]
pub(crate) struct Edits {
    items: Vec<Edit>,
}

struct Edit {
    place: usize,
    /// What closes a construct comes before what opens the next one; among those that open at one place the longest
    /// comes first, among those that close the shortest.
    order: (bool, Reverse<usize>),
    /// Of those that enclose the same construct the outer ones open first and close last.
    depth: i8,
    /// The bytes from the place on that are dropped.
    drop: usize,
    text: String,
}

impl Edits {
    /// Puts text around a construct.
    pub(crate) fn wrap(&mut self, range: Range<usize>, open: String, close: &str) {
        self.enclose(range, open, close, 0);
    }

    /// Puts text around a construct, inside of other text around it.
    pub(crate) fn wrap_closely(&mut self, range: Range<usize>, open: String, close: &str) {
        self.enclose(range, open, close, 1);
    }

    fn enclose(&mut self, range: Range<usize>, open: String, close: &str, depth: i8) {
        let opening = (true, Reverse(range.end));
        self.items.push(Edit { place: range.start, order: opening, depth, drop: 0, text: open });
        let (closing, text) = ((false, Reverse(range.start)), close.to_string());
        self.items.push(Edit { place: range.end, order: closing, depth: -depth, drop: 0, text });
    }

    /// Puts text in front of all constructs that start at a place.
    pub(crate) fn before(&mut self, place: usize, text: String) {
        self.replace(place..place, text);
    }

    /// Puts text behind all constructs that end at a place.
    pub(crate) fn after(&mut self, place: usize, text: &str) {
        self.items.push(Edit {
            place,
            order: (false, Reverse(0)),
            depth: 0,
            drop: 0,
            text: text.to_string(),
        });
    }

    /// Puts text in the place of other text.
    pub(crate) fn replace(&mut self, range: Range<usize>, text: String) {
        let order = (true, Reverse(usize::MAX));
        self.items.push(Edit { place: range.start, order, depth: 0, drop: range.len(), text });
    }

    /// The edited text.
    pub(crate) fn apply(mut self, bytes: &[u8]) -> Vec<u8> {
        self.items.sort_by_key(|edit| (edit.place, edit.order, edit.depth));
        let added: usize = self.items.iter().map(|edit| edit.text.len()).sum();
        let mut out = Vec::with_capacity(bytes.len() + added);
        let mut done = 0;
        for edit in &self.items {
            out.extend_from_slice(&bytes[done.min(edit.place)..edit.place]);
            out.extend_from_slice(edit.text.as_bytes());
            done = edit.place + edit.drop;
        }
        out.extend_from_slice(&bytes[done..]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_of_one_construct_nest() {
        let mut edits = Edits::default();
        edits.wrap_closely(0..1, "<".into(), ">");
        edits.wrap(0..1, "[".into(), "]");
        assert_eq!(edits.apply(b"a"), b"[<a>]");
    }

    #[test]
    fn wraps_nest() {
        let mut edits = Edits::default();
        edits.wrap(0..1, "<".into(), ">");
        edits.wrap(0..5, "[".into(), "]");
        edits.wrap(4..5, "{".into(), "}");
        edits.before(0, "!".into());
        edits.after(5, ";");
        edits.replace(2..3, "-".into());
        assert_eq!(edits.apply(b"a + b"), b"![<a> - {b}];");
    }
}
