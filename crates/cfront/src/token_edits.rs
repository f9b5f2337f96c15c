//! Changes to a stream of tokens, collected by token number and made all at once.

use std::ops::Range;

use rucc_base::Interner;
use rucc_diag::Span;
use rucc_lex::{PpToken, TokenFlags};

/// What stands in the place of removed tokens.
enum Piece {
    Text(String),
    /// Tokens of the stream once more, with the changes made to them.
    Again(Range<usize>),
}

/// Changes to one stream.
#[derive(Default)]
pub(crate) struct Edits {
    changes: Vec<(Range<usize>, Vec<Piece>)>,
}

/// New tokens, piece by piece.
#[derive(Default)]
pub(crate) struct Text {
    pieces: Vec<Piece>,
}

impl Text {
    /// The tokens of a source text.
    pub(crate) fn of(source: impl Into<String>) -> Text {
        Text { pieces: vec![Piece::Text(source.into())] }
    }

    /// Followed by a copy of tokens of the stream, as they are once all changes are made.
    pub(crate) fn and_again(mut self, range: Range<usize>) -> Text {
        self.pieces.push(Piece::Again(range));
        self
    }
}

impl Edits {
    pub(crate) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Removes tokens; removing the same ones twice is removing them once.
    pub(crate) fn remove(&mut self, range: Range<usize>) {
        if !self.changes.iter().any(|(known, _)| *known == range) {
            self.replace(range, Text::default());
        }
    }

    /// Puts new tokens in front of a token, behind those that were put there before.
    pub(crate) fn insert(&mut self, at: usize, text: Text) {
        self.replace(at..at, text);
    }

    pub(crate) fn replace(&mut self, range: Range<usize>, text: Text) {
        self.changes.push((range, text.pieces));
    }

    /// The stream with all changes made. A new token has the place of the one that it stands in front of.
    pub(crate) fn apply(mut self, tokens: &[PpToken], interner: &mut Interner) -> Vec<PpToken> {
        self.changes.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = Vec::with_capacity(tokens.len());
        self.copy(tokens, 0..tokens.len(), interner, &mut out);
        out
    }

    fn copy(&self, tokens: &[PpToken], range: Range<usize>, interner: &mut Interner, out: &mut Vec<PpToken>) {
        let inside = |changed: &Range<usize>| range.start <= changed.start && changed.end <= range.end;
        let mut next = range.start;
        for (changed, pieces) in self.changes.iter().filter(|(changed, _)| inside(changed)) {
            out.extend_from_slice(&tokens[next..changed.start]);
            next = changed.end;
            let span = tokens[changed.start].span;
            for piece in pieces {
                match piece {
                    Piece::Text(text) => out.extend(lex(text, span, interner)),
                    Piece::Again(range) => self.copy(tokens, range.clone(), interner, out),
                }
            }
        }
        out.extend_from_slice(&tokens[next..range.end]);
    }
}

fn lex(text: &str, span: Span, interner: &mut Interner) -> impl Iterator<Item = PpToken> {
    let (tokens, _) = rucc_lex::tokenize(text.as_bytes(), 0, rucc_lex::Options::new(), interner);
    let tokens = tokens.into_iter().filter(|token| !token.is_eof());
    tokens.map(move |token| PpToken { span, flags: TokenFlags::LEADING_SPACE, ..token })
}
