//! Functions that use vector intrinsics which `rucc`'s headers do not declare.
//!
//! Vector code is not supported anyway, but a call of an undeclared intrinsic is a type error, and would take the
//! whole file down. So where all errors lie in bodies that name intrinsics, those bodies are emptied, their functions
//! are reported as not supported, and the rest of the file is taken.

use rucc_base::Interner;
use rucc_diag::{BytePos, Diagnostic, Span};
use rucc_lex::{PpToken, PpTokenKind, Punct};

/// A function body that was emptied.
#[derive(Clone, Debug)]
pub(crate) struct Emptied {
    /// Where its opening brace stands.
    pub(crate) brace: BytePos,
    /// The first error in it.
    pub(crate) at: Span,
    /// What that error says.
    pub(crate) what: String,
}

/// The tokens without the bodies at fault; none unless every error lies in a body that names intrinsics.
pub(crate) fn empty_bodies(
    tokens: &[PpToken],
    found: &[Diagnostic],
    interner: &Interner,
) -> Option<(Vec<PpToken>, Vec<Emptied>)> {
    let errors: Vec<&Diagnostic> = found.iter().filter(|d| d.severity.is_fatal()).collect();
    let mut out = Vec::with_capacity(tokens.len());
    let mut emptied = Vec::new();
    let mut explained = 0;
    let mut rest = 0;
    for (open, close) in bodies(tokens) {
        let body = &tokens[open..=close];
        let inside: Vec<&&Diagnostic> = errors.iter().filter(|error| covers(body, error.span)).collect();
        if inside.is_empty() || !body.iter().any(|token| is_intrinsic(token, interner)) {
            continue;
        }
        explained += inside.len();
        let what = format!("vector intrinsics ({})", inside[0].message);
        emptied.push(Emptied { brace: tokens[open].span.lo, at: inside[0].span, what });
        out.extend_from_slice(&tokens[rest..=open]);
        rest = close;
    }
    out.extend_from_slice(&tokens[rest..]);
    (explained == errors.len() && !emptied.is_empty()).then_some((out, emptied))
}

fn covers(body: &[PpToken], span: Span) -> bool {
    body[0].span.lo <= span.lo && span.lo < body[body.len() - 1].span.hi
}

fn is_intrinsic(token: &PpToken, interner: &Interner) -> bool {
    const PREFIXES: [&str; 5] = ["_mm", "__m128", "__m256", "__m512", "__builtin_ia32"];
    let name = token.value.filter(|_| token.kind == PpTokenKind::Ident).map(|name| interner.resolve(name));
    name.is_some_and(|name| PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
}

/// The outermost pairs of braces that follow a parameter list.
fn bodies(tokens: &[PpToken]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open = None;
    let mut depth = 0usize;
    for (n, token) in tokens.iter().enumerate() {
        match token.kind {
            PpTokenKind::Punct(Punct::LBrace) => {
                if depth == 0 {
                    let follows = n.checked_sub(1).map(|before| tokens[before].kind);
                    open = (follows == Some(PpTokenKind::Punct(Punct::RParen))).then_some(n);
                }
                depth += 1;
            }
            PpTokenKind::Punct(Punct::RBrace) => {
                depth = depth.saturating_sub(1);
                if depth == 0
                    && let Some(start) = open.take()
                {
                    found.push((start, n));
                }
            }
            _ => {}
        }
    }
    found
}
