//! Limits on the shape of the source, so that hostile input ends in a message and not in a full stack.
//!
//! The parser itself limits how deep brackets nest. What it does not limit are chains without brackets
//! (`a + a + a + ...`), which become trees as deep as they are long.

use rucc_diag::{Diagnostic, Span};
use rucc_lex::{PpToken, PpTokenKind, Punct};

/// The longest chain of operators, or of `else`, that is accepted. Far beyond what people or generators write.
const MAX_CHAIN: u32 = 100_000;

/// What has been seen inside one pair of brackets.
#[derive(Default)]
struct Level {
    is_brace: bool,
    operators: u32,
    commas: u32,
    elses: u32,
}

/// The complaint about the first chain that is too long.
pub(crate) fn chain_too_long(tokens: &[PpToken], else_name: rucc_base::Symbol) -> Option<Diagnostic> {
    let mut levels = vec![Level { is_brace: true, ..Level::default() }];
    for token in tokens {
        let level = levels.last_mut()?;
        match token.kind {
            PpTokenKind::Punct(Punct::LParen | Punct::LBracket) => levels.push(Level::default()),
            PpTokenKind::Punct(Punct::LBrace) => levels.push(Level { is_brace: true, ..Level::default() }),
            PpTokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                levels.truncate((levels.len() - 1).max(1))
            }
            PpTokenKind::Punct(Punct::Semi) => (level.operators, level.commas) = (0, 0),
            // In braces a comma separates initial values, which do not nest.
            PpTokenKind::Punct(Punct::Comma) if level.is_brace => level.operators = 0,
            PpTokenKind::Punct(Punct::Comma) => (level.operators, level.commas) = (0, level.commas + 1),
            PpTokenKind::Punct(_) => level.operators += 1,
            PpTokenKind::Ident if token.value == Some(else_name) => level.elses += 1,
            _ => {}
        }
        let level = levels.last()?;
        if level.operators.max(level.commas).max(level.elses) > MAX_CHAIN {
            return Some(complaint(token.span));
        }
    }
    None
}

fn complaint(span: Span) -> Diagnostic {
    Diagnostic::error(format!("more than {MAX_CHAIN} operators in one expression"), span)
}
