//! Files with other text in some places. The program is that of the edited text, its places are those of the file.

use std::ops::Range;

use rucc_diag::SourceBytes;

use crate::disk::with_ended_line;

/// Changes to a file. Its includes are found as from the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// Which file of the list.
    pub file: usize,
    /// What is replaced, in the order of the file; no two places overlap.
    pub pieces: Vec<Piece>,
}

/// A text that stands in the place of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The bytes of the file that it stands for.
    pub place: Range<usize>,
    /// The text, without line breaks: those of the file are kept behind it.
    pub text: String,
    /// The byte of the file where all that comes from it is told to be.
    pub told: usize,
}

impl Edit {
    /// The edited text of a file.
    pub fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::with_capacity(bytes.len() * 2);
        let mut done = 0;
        for piece in &self.pieces {
            text.extend_from_slice(&bytes[done..piece.place.start]);
            text.extend_from_slice(piece.text.as_bytes());
            text.extend(bytes[piece.place.clone()].iter().filter(|byte| **byte == b'\n'));
            done = piece.place.end;
        }
        text.extend_from_slice(&bytes[done..]);
        text
    }
}

/// The file behind an edited text.
#[derive(Clone, Debug)]
pub(crate) struct Original {
    pub(crate) bytes: SourceBytes,
    /// Where each line starts.
    lines: Vec<usize>,
    pieces: Vec<Replaced>,
}

/// A piece in the edited text.
#[derive(Clone, Debug)]
struct Replaced {
    place: Range<usize>,
    told: usize,
    /// Where its text stands.
    text: Range<usize>,
}

impl Original {
    pub(crate) fn new(bytes: Vec<u8>, edit: &Edit) -> Original {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        let mut pieces: Vec<Replaced> = Vec::new();
        for piece in &edit.pieces {
            let breaks = bytes[piece.place.clone()].iter().filter(|byte| **byte == b'\n').count();
            let (done, written) = pieces.last().map_or((0, 0), |last| (last.place.end, last.text.end));
            let start = written + (piece.place.start - done);
            let text = start..start + piece.text.len() + breaks;
            pieces.push(Replaced { place: piece.place.clone(), told: piece.told, text });
        }
        Original { bytes: SourceBytes::new(with_ended_line(bytes)), lines, pieces }
    }

    /// The byte of the file for a byte of the edited text.
    pub(crate) fn offset(&self, edited: usize) -> usize {
        let before = self.pieces.partition_point(|piece| piece.text.start <= edited);
        match before.checked_sub(1).map(|n| &self.pieces[n]) {
            None => edited,
            Some(piece) if edited < piece.text.end => piece.told,
            Some(piece) => edited - piece.text.end + piece.place.end,
        }
    }

    /// The line and the column in the file for a byte of the edited text.
    pub(crate) fn position(&self, edited: usize) -> (u32, u32) {
        let at = self.offset(edited);
        let line = self.lines.partition_point(|start| *start <= at);
        (line as u32, (at - self.lines[line - 1]) as u32 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back_to_the_file() {
        let file = b"int a; /* x\n y */ int b;\nint c;".to_vec();
        let pieces = vec![
            Piece { place: 3..3, text: " long".to_string(), told: 3 },
            Piece { place: 7..17, text: "int made;".to_string(), told: 9 },
        ];
        let edit = Edit { file: 0, pieces };
        let edited = String::from_utf8(edit.apply(&file)).unwrap();
        assert_eq!(edited, "int long a; int made;\n int b;\nint c;");
        let original = Original::new(file, &edit);
        let place = |word: &str| original.position(edited.find(word).unwrap());
        assert_eq!(place("int long"), (1, 1));
        assert_eq!(place("long"), (1, 4));
        assert_eq!(place("a;"), (1, 5));
        assert_eq!(place("made"), (1, 10));
        assert_eq!(place("int b"), (2, 7));
        assert_eq!(place("int c"), (3, 1));
    }
}
