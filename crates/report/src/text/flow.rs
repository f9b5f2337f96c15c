//! Lines of limited width.

use super::style::{Style, Tint};

/// A piece of a line that is not broken.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) tint: Tint,
}

impl Piece {
    pub(crate) fn plain(text: impl Into<String>) -> Piece {
        Piece { text: text.into(), tint: Tint::Plain }
    }
}

/// Pieces behind a label, with two blanks in between, in as many lines as needed; all lines but the first start below
/// the first piece.
pub(crate) fn pieces(label: &str, pieces: &[Piece], style: Style) -> String {
    let indent = length(label);
    let room = style.width.saturating_sub(indent).max(20);
    let mut out = label.to_string();
    let mut column = 0;
    for piece in pieces {
        let text = shortened(&piece.text, room);
        let gap = if column == 0 { 0 } else { 2 };
        if column > 0 && column + gap + length(&text) > room {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = 0;
        } else {
            out.push_str(&" ".repeat(gap));
            column += gap;
        }
        column += length(&text);
        out.push_str(&style.tint(piece.tint, &text));
    }
    out + "\n"
}

/// A sentence behind a label, broken between words.
pub(crate) fn paragraph(label: &str, sentence: &str, width: usize) -> String {
    let indent = length(label);
    let mut out = label.to_string();
    let mut column = indent;
    for (n, word) in sentence.split_whitespace().enumerate() {
        if n > 0 && column + 1 + length(word) > width {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if n > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length(word);
    }
    out + "\n"
}

/// The text, cut to a number of characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if length(text) <= most {
        return text.to_string();
    }
    let kept: String = text.chars().take(most.saturating_sub(3)).collect();
    format!("{}...", kept.trim_end())
}

/// The number of characters.
pub(crate) fn length(text: &str) -> usize {
    text.chars().count()
}
