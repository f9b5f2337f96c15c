//! Probes put into the text of a unit.
//!
//! A probe never needs the end of a statement with a body, so that nothing but heads is read: the probe of an `if`
//! or `switch` stands in its controlling expression, `while (c)` becomes `for (probe; c; )`, a loop that declares its
//! variable gets a loop around it that turns once. Expression statements get theirs by a comma where a declaration
//! cannot stand, else by a statement in front.

use std::ops::Range;

use quipu_base::IdVec;
use quipu_ir::{Cond, DecisionKind, FuncBody, Function, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::correspond::Twin;
use crate::edits::Edits;
use crate::probes::{Probe, Probes};
use crate::text::Text;
use crate::unit::Unit;

/// What the probes are, for the text that they are put into.
pub(crate) const DECLARATIONS: &str = "void __quipu_s(unsigned);int __quipu_c(unsigned,int);\
    void __quipu_w(unsigned,unsigned long long);unsigned __quipu_enter(unsigned);void __quipu_leave(unsigned*);\n";

/// The constructs of a function that got no probe, for people.
pub(crate) type Left = Vec<String>;

/// Puts the probes of one function into its unit's edits.
pub(crate) fn instrument(
    unit: &Unit,
    twin: &Twin,
    code: &FuncBody,
    probes: &mut Probes,
    edits: &mut Edits,
) -> Result<Left, String> {
    let own = &unit.module.as_ref().expect("a twin has a module").functions[twin.local];
    let body = body_start(&unit.text, own).ok_or("its body was not found in the preprocessed text")?;
    let own_code = own.code().expect("a twin has code");
    let (text, types) = (&unit.text, &unit.types);
    let mut instrumenter =
        Instrumenter { text, types, twin, own: own_code, probes, edits, left: Left::new() };
    instrumenter.function(body);
    for (stmt, data) in code.stmts.entries() {
        if !instrumenter.stmt(stmt) {
            instrumenter.left.push(format!("the statement in line {}", data.span.line));
        }
    }
    instrumenter.conds(body);
    instrumenter.switches();
    Ok(instrumenter.left)
}

/// Where the body of a function opens.
fn body_start(text: &Text, function: &Function) -> Option<usize> {
    let mut at = text.range(function.span)?.start;
    loop {
        match text.at(at) {
            b'{' => return Some(at + 1),
            b'(' => at = text.closing(at)? + 1,
            0 => return None,
            _ => at += 1,
        }
    }
}

struct Instrumenter<'a> {
    text: &'a Text,
    types: &'a FxHashSet<String>,
    twin: &'a Twin,
    own: &'a FuncBody,
    probes: &'a mut Probes,
    edits: &'a mut Edits,
    left: Left,
}

impl Instrumenter<'_> {
    fn function(&mut self, body: usize) {
        let id = self.probes.add(Probe::Function(self.twin.func));
        let text =
            format!("unsigned __quipu_f __attribute__((__cleanup__(__quipu_leave)))=__quipu_enter({id}u);");
        self.edits.before(body, text);
    }

    /// Puts in the probe of a statement; false if that is not possible.
    fn stmt(&mut self, stmt: Stmt) -> bool {
        let own = self.twin.stmts[stmt];
        let Some(range) = own.and_then(|own| self.text.range(self.own.stmts[own].span)) else { return false };
        let Some(way) = way(self.text, self.types, range.clone()) else { return false };
        let inner = self.twin.inner.iter().any(|inner| inner.contains(&range.start));
        let id = self.probes.add(Probe::Stmt(self.twin.func, stmt));
        if inner {
            self.probes.set_inner(self.twin.func, stmt);
        }
        let probe = format!("__quipu_s({id}u)");
        match way {
            Way::Statement(at) => self.edits.before(at, format!("{probe};")),
            Way::Comma(at) => self.edits.before(at, format!(" {probe},")),
            Way::Braces(range) => self.edits.wrap(range, format!("{{{probe};"), "}"),
            Way::Loop { head, close } => {
                self.edits.replace(head, format!("for({probe};"));
                self.edits.after(close, ";");
            }
            Way::Init(at) => self.edits.before(at, probe),
            Way::Once(at) => {
                self.edits.before(at, format!("for(int __quipu_o=({probe},1);__quipu_o;__quipu_o=0)"));
            }
        }
        true
    }

    /// Puts in the probes of the conditions. Those in the lengths of array parameters come before the function is
    /// entered, for its probe; they get none.
    fn conds(&mut self, body: usize) {
        let places: IdVec<Cond, Option<Range<usize>>> =
            self.own.conds.iter().map(|data| self.expression(data.span)).collect();
        let mut shared: FxHashMap<&Range<usize>, usize> = FxHashMap::default();
        places.iter().flatten().for_each(|place| *shared.entry(place).or_default() += 1);
        for (cond, data) in self.own.conds.entries() {
            if data.constant.is_some() {
                continue;
            }
            let measurable = |range: &&Range<usize>| range.start >= body && shared[range] == 1;
            let Some(range) = places[cond].as_ref().filter(measurable).cloned() else {
                self.left.push(format!("the condition `{}`", data.text));
                continue;
            };
            let id = self.probes.add(Probe::Cond(self.twin.func, cond));
            if gives_its_value(self.text, range.end) {
                let close = format!(")+0;__quipu_c({id}u,__quipu_v?1:0);__quipu_v;}})");
                self.edits.wrap(range, "({__auto_type __quipu_v=(".to_string(), &close);
            } else {
                self.edits.wrap(range, format!("__quipu_c({id}u,("), ")?1:0)");
            }
        }
    }

    fn switches(&mut self) {
        for (decision, data) in self.own.decisions.entries() {
            if data.kind != DecisionKind::Switch {
                continue;
            }
            let Some(range) = self.expression(data.span) else {
                self.left.push(format!("the switch on `{}`", data.text));
                continue;
            };
            let id = self.probes.add(Probe::Switch(self.twin.func, decision));
            // Unary plus promotes as the switch does (6.8.4.2p5), and makes a value of a bit-field.
            let close = format!(");__quipu_w({id}u,(unsigned long long)__quipu_v);__quipu_v;}})");
            self.edits.wrap(range, "({__auto_type __quipu_v=+(".to_string(), &close);
        }
    }

    fn expression(&self, span: quipu_ir::Span) -> Option<Range<usize>> {
        self.text.balanced(self.text.range(span)?)
    }
}

/// Whether the value of a condition may be used as well: it is the first operand of GNU's `a ?: b`.
fn gives_its_value(text: &Text, end: usize) -> bool {
    let mut at = text.next(end);
    while text.at(at) == b')' {
        at = text.next(at + 1);
    }
    text.at(at) == b'?' && text.at(text.next(at + 1)) == b':'
}

/// How a statement gets its probe.
#[derive(PartialEq, Debug)]
enum Way {
    /// A statement in front.
    Statement(usize),
    /// A comma operator in front of the expression.
    Comma(usize),
    /// Both become a block.
    Braces(Range<usize>),
    /// `while (` becomes `for (probe; `, and the parenthesis that closes at `close` gets a semicolon.
    Loop { head: Range<usize>, close: usize },
    /// The empty initialisation of a `for`.
    Init(usize),
    /// A loop that turns once in front of a `for` that declares.
    Once(usize),
}

fn way(text: &Text, types: &FxHashSet<String>, range: Range<usize>) -> Option<Way> {
    let start = range.start;
    let word = text.word(start);
    let behind = text.next(start + word.len());
    let parenthesis = (text.at(behind) == b'(').then_some(behind);
    match word {
        "if" | "switch" => Some(Way::Comma(parenthesis? + 1)),
        "while" => Some(Way::Loop { head: start..parenthesis? + 1, close: text.closing(parenthesis?)? }),
        "for" => (text.at(text.next(parenthesis? + 1)) == b';').then_some(Way::Init(parenthesis? + 1)),
        "return" if text.at(behind) != b';' => Some(Way::Comma(start + word.len())),
        "return" | "break" | "continue" | "goto" => Some(Way::Braces(start..semicolon(text, start)? + 1)),
        "do" | "else" | "case" | "default" => None,
        _ => Some(simple(text, types, text.balanced(range).map_or(start, |whole| whole.start))),
    }
}

/// An expression or a declaration.
fn simple(text: &Text, types: &FxHashSet<String>, start: usize) -> Way {
    let before = text.previous(start);
    match before.map(|at| text.at(at)) {
        Some(b'{' | b'}' | b';') => Way::Statement(start),
        Some(b':') if is_declaration(text, types, start) => Way::Statement(start),
        Some(b'(') if is_declaration(text, types, start) => match for_keyword(text, before) {
            Some(at) => Way::Once(at),
            None => Way::Comma(start),
        },
        _ => Way::Comma(start),
    }
}

/// Where the `for` stands whose parenthesis opens here.
fn for_keyword(text: &Text, parenthesis: Option<usize>) -> Option<usize> {
    let end = text.previous(parenthesis?)? + 1;
    (text.word_before(end) == "for").then_some(end - 3)
}

fn semicolon(text: &Text, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match text.at(at) {
            b';' => return Some(at),
            0 => return None,
            _ => at += 1,
        }
    }
}

/// The words that start a declaration.
const TYPES: [&str; 28] = [
    "int",
    "char",
    "short",
    "long",
    "signed",
    "unsigned",
    "float",
    "double",
    "void",
    "_Bool",
    "struct",
    "union",
    "enum",
    "const",
    "volatile",
    "register",
    "auto",
    "static",
    "extern",
    "_Complex",
    "_Alignas",
    "__typeof__",
    "typeof",
    "__typeof",
    "__auto_type",
    "__int128",
    "__signed__",
    "__attribute__",
];

/// Whether a declaration starts here, where an expression could: by its first words.
fn is_declaration(text: &Text, types: &FxHashSet<String>, start: usize) -> bool {
    let word = text.word(start);
    if word == "__extension__" {
        return is_declaration(text, types, text.next(start + word.len()));
    }
    if TYPES.contains(&word) || types.contains(word) {
        return true;
    }
    // A name for a type, then perhaps stars, then the name of the variable.
    let mut at = text.next(start + word.len());
    while text.at(at) == b'*' || matches!(text.word(at), "const" | "volatile" | "restrict") {
        at = text.next(at + text.word(at).len().max(1));
    }
    !word.is_empty() && !word.as_bytes()[0].is_ascii_digit() && !text.word(at).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way_of(source: &str, statement: &str) -> Option<Way> {
        let start = source.find(statement).unwrap();
        way(
            &Text::new(source.as_bytes().to_vec()),
            &FxHashSet::from_iter(["T".to_string()]),
            start..start + statement.len(),
        )
    }

    #[test]
    fn each_kind_of_statement_has_its_way() {
        assert_eq!(way_of("{ if (x) y; }", "if"), Some(Way::Comma(6)));
        assert_eq!(way_of("{ if (x) y; }", "y"), Some(Way::Comma(9)));
        assert_eq!(way_of("{ y; }", "y"), Some(Way::Statement(2)));
        assert_eq!(way_of("{ while (a(b)) ; }", "while"), Some(Way::Loop { head: 2..9, close: 13 }));
        assert_eq!(way_of("{ for (;;) ; }", "for"), Some(Way::Init(7)));
        assert_eq!(way_of("{ for (i = 0;;) ; }", "i = 0"), Some(Way::Comma(7)));
        assert_eq!(way_of("{ for (a * b;;) ; }", "a * b"), Some(Way::Once(2)));
        assert_eq!(way_of("{ for ((i) -= 7;;) ; }", "i) -= 7"), Some(Way::Comma(7)));
        assert_eq!(way_of("{ for (f(x);;) ; }", "f(x)"), Some(Way::Comma(7)));
        assert_eq!(way_of("{ for (size_t i = 0;;) ; }", "size_t"), Some(Way::Once(2)));
        assert_eq!(way_of("{ for (T (*p)[2] = q;;) ; }", "T"), Some(Way::Once(2)));
        assert_eq!(way_of("{ a: int x = 1; }", "int"), Some(Way::Statement(5)));
        assert_eq!(way_of("{ if (a) b: x = 1; }", "x = 1"), Some(Way::Comma(12)));
        assert_eq!(way_of("{ return; }", "return"), Some(Way::Braces(2..9)));
        assert_eq!(way_of("{ return(x); }", "return"), Some(Way::Comma(8)));
    }
}
