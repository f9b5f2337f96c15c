//! Finds the relational operator of a source expression.
//!
//! The IR compares operands in its own order and also where the source only asks for a truth value. The text of an
//! expression tells: its outermost operator is a relational one or not. Spans leave out brackets at their ends, so
//! that the outermost operators are those at the smallest nesting depth, which may be below the depth at the start.

use quipu_num::IntCmp;

use crate::source_text::balanced;

/// A comparison as the source writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Relational {
    pub operator: &'static str,
    pub left: String,
    pub right: String,
}

impl Relational {
    /// The comparison that is an expression's outermost operation.
    pub(crate) fn parse(text: &str) -> Option<Relational> {
        let operators = operators(text);
        let depth = operators.iter().map(|operator| operator.depth).min()?;
        let outer = operators.iter().filter(|operator| operator.depth == depth);
        // Operators of one precedence associate to the left, so that the last one is outermost.
        let last = outer.rev().min_by_key(|operator| operator.precedence)?;
        let is_relational = matches!(last.text, "<" | "<=" | ">" | ">=" | "==" | "!=");
        is_relational.then(|| Relational {
            operator: last.text,
            left: balanced(text[..last.at].trim()),
            right: balanced(text[last.at + last.text.len()..].trim()),
        })
    }

    /// Whether the front end makes this instruction of it.
    pub(crate) fn fits(&self, cmp: IntCmp) -> bool {
        match self.operator {
            "==" => cmp == IntCmp::Eq,
            "!=" => cmp == IntCmp::Ne,
            "<" | ">" => matches!(cmp, IntCmp::Slt | IntCmp::Ult),
            _ => matches!(cmp, IntCmp::Sle | IntCmp::Ule),
        }
    }

    /// Whether the instruction has the operands in the other order.
    pub(crate) fn is_swapped(&self) -> bool {
        matches!(self.operator, ">" | ">=")
    }
}

/// An operator that binds weaker than arithmetic, or a closing bracket that leaves the text's own depth.
struct Operator {
    at: usize,
    text: &'static str,
    depth: i32,
    precedence: u8,
}

/// Binds stronger than all that matters here.
const TIGHT: u8 = 10;

/// Operators, longest first, with their precedence. Those that bind tighter are here to be read as a whole.
const OPERATORS: [(&str, u8); 35] = [
    ("<<=", 1),
    (">>=", 1),
    ("...", TIGHT),
    ("->", TIGHT),
    ("++", TIGHT),
    ("--", TIGHT),
    ("<<", TIGHT),
    (">>", TIGHT),
    ("<=", 9),
    (">=", 9),
    ("==", 8),
    ("!=", 8),
    ("&&", 4),
    ("||", 3),
    ("+=", 1),
    ("-=", 1),
    ("*=", 1),
    ("/=", 1),
    ("%=", 1),
    ("&=", 1),
    ("|=", 1),
    ("^=", 1),
    ("<", 9),
    (">", 9),
    ("&", 7),
    ("^", 6),
    ("|", 5),
    ("?", 2),
    (":", 2),
    ("=", 1),
    (",", 0),
    ("(", TIGHT),
    (")", TIGHT),
    ("[", TIGHT),
    ("]", TIGHT),
];

/// All operators with their depth. Brackets count as tight operators at the outer one of their two depths, so that
/// `(a < b)` has something further out than its comparison.
fn operators(text: &str) -> Vec<Operator> {
    let (mut found, mut depth, mut at) = (Vec::new(), 0, 0);
    let mut after_operand = false;
    while let Some(first) = text[at..].chars().next() {
        if first == '"' || first == '\'' {
            at += literal_length(&text[at..]);
            after_operand = true;
            continue;
        }
        let Some(&(operator, precedence)) = OPERATORS.iter().find(|(name, _)| text[at..].starts_with(name))
        else {
            after_operand = if first.is_whitespace() { after_operand } else { !"+-*/%!~".contains(first) };
            at += first.len_utf8();
            continue;
        };
        depth -= i32::from(matches!(operator, ")" | "]"));
        let is_address_of = operator == "&" && !after_operand;
        let precedence = if is_address_of { TIGHT } else { precedence };
        found.push(Operator { at, text: operator, depth, precedence });
        depth += i32::from(matches!(operator, "(" | "["));
        after_operand = matches!(operator, ")" | "]" | "++" | "--");
        at += operator.len();
    }
    found
}

/// The length of the string or character at the start of a text.
fn literal_length(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (n, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if byte == quote => return n + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<(String, &'static str, String)> {
        Relational::parse(text).map(|found| (found.left, found.operator, found.right))
    }

    #[test]
    fn finds_the_outermost_comparison() {
        let cases = [
            ("a < b", "a", "<", "b"),
            ("a + 1) < (b", "(a + 1)", "<", "(b)"),
            ("a < b == c", "a < b", "==", "c"),
            ("a == b < c", "a", "==", "b < c"),
            ("a == b != c", "a == b", "!=", "c"),
            ("p->n >= x[i > 2]", "p->n", ">=", "x[i > 2]"),
            ("a << 2 > f(b, c)", "a << 2", ">", "f(b, c)"),
            ("c == '<'", "c", "==", "'<'"),
            ("*&a <= -1", "*&a", "<=", "-1"),
            ("a++ != b--", "a++", "!=", "b--"),
            ("s[0]) == ('\\''", "(s[0])", "==", "('\\'')"),
        ];
        for (text, left, operator, right) in cases {
            assert_eq!(parts(text), Some((left.into(), operator, right.into())), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_comparison() {
        for text in [
            "a",
            "a & b == 3",
            "a) & (b == 3",
            "f(a < b)",
            "a < b ? c : d",
            "a = b < c",
            "a < b, c",
            "x[a == b]",
            "a == 1 || b == 2",
            "(a < b)",
            "(int)(a < b)",
            "\"a < b\"",
            "a -> b",
            "a >> 1",
            "a >>= 1",
        ] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
