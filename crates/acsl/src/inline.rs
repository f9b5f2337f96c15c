//! Annotations in bodies: assertions between statements, invariants at the heads of loops.
//!
//! They become text in the same lines. An assertion is a block in the place of its comment. The claims of an invariant
//! stand in front of the condition that a loop evaluates whenever its head is reached, `continue` or not; in a `do` loop
//! they are the first thing of its body.

use quipu_ir::Func;

use crate::build::{Output, clause_place};
use crate::contract::claim_statement;
use crate::names::Names;
use crate::problem::{Checked, Problem};
use crate::source::{Annotation, Place, Source};
use crate::translate::{Moment, Purpose};
use crate::tree::{Clause, ClauseKind, Expr, Said};
use crate::{ClaimKind, NoteKind};

/// Translates a comment in the body of a function.
pub(crate) fn translate(
    output: &mut Output<'_>,
    names: &Names<'_>,
    file: usize,
    (func, body): (Func, &Place),
    annotation: &Annotation,
    said: &Said,
) {
    let source = names.source;
    let (mut statements, mut invariants) = (Vec::new(), Vec::new());
    for clause in &said.clauses {
        let made = match &clause.kind {
            ClauseKind::Assert(predicate) => {
                let at = annotation.comment.start;
                between_statements(source, annotation).map(|()| {
                    let what = (ClaimKind::Assert, at);
                    (claim(output, names, file, (func, body), clause, predicate, what), false)
                })
            }
            ClauseKind::LoopInvariant(predicate) => loop_behind(source, annotation, clause).map(|head| {
                let what =
                    (ClaimKind::LoopInvariant { at: clause_place(source, &head.keyword) }, head.inside);
                (claim(output, names, file, (func, body), clause, predicate, what), true)
            }),
            ClauseKind::Documentation(what) => {
                let message = format!("`{what}` is read as documentation");
                output.note(source, NoteKind::Documentation, &keyword(&clause.place), &message);
                continue;
            }
            ClauseKind::Unsupported(what) => {
                Err(Problem::unsupported(&keyword(&clause.place), what.as_str()))
            }
            _ => Err(Problem::unsupported(&keyword(&clause.place), "the contract of a statement")),
        };
        match output.accept(source, made) {
            Some((Some(text), false)) => statements.push((clause, text)),
            Some((Some(text), true)) => invariants.push((clause, text)),
            _ => {}
        }
    }
    let start = annotation.comment.start;
    for (clause, text) in statements {
        output.insert(file, start..start, text, Some((source, &clause.place)));
    }
    if !invariants.is_empty() {
        let head = loop_head(source, annotation).expect("the invariants were translated for it");
        at_head(output, source, file, &head, &invariants);
    }
}

/// Puts the claims of invariants at the head of their loop.
fn at_head(
    output: &mut Output<'_>,
    source: &Source,
    file: usize,
    head: &Head,
    invariants: &[(&Clause, String)],
) {
    let (opening, closing) = match head.way {
        Way::Condition { .. } => ("__extension__ ({ ", "(void)0; }), "),
        Way::Body => (" ", " "),
    };
    let mut put = |at: usize, text: &str, clause: Option<&Clause>| {
        output.insert(file, at..at, text.to_string(), clause.map(|clause| (source, &clause.place)));
    };
    // The whole is told to be the first invariant.
    let first = Some(invariants[0].0);
    put(head.inside, opening, first);
    invariants.iter().for_each(|(clause, text)| put(head.inside, text, Some(clause)));
    put(head.inside, closing, first);
    if let Way::Condition { missing: Some(at) } = head.way {
        put(at, "1", None);
    }
}

fn keyword(place: &Place) -> Place {
    place.start..(place.start + 1).min(place.end)
}

/// The statement that claims a predicate, which is entered with its number.
fn claim(
    output: &mut Output<'_>,
    names: &Names<'_>,
    file: usize,
    (func, body): (Func, &Place),
    clause: &Clause,
    predicate: &Expr,
    (kind, at): (ClaimKind, usize),
) -> Option<String> {
    let k = output.next_claim();
    let what = (Purpose::Claim { arithmetic: k + 1 }, Moment::Inside(at));
    let found = output.predicate(names, func, what, predicate, None)?;
    let entered = output.claim(names.source, func, kind, &clause.place, None);
    output.enter(entered, found.checks);
    if !found.snapshots.is_empty() {
        let start = body.start + 1;
        let text = format!(" {}", found.snapshots.join(" "));
        output.insert(file, start..start, text, Some((names.source, &clause.place)));
    }
    Some(claim_statement(k, &found.text))
}

/// A block can stand in the place of the comment: behind the end of a statement, and where no `else` follows.
fn between_statements(source: &Source, annotation: &Annotation) -> Checked<()> {
    let before = source.previous(annotation.comment.start);
    let behind = source.word(source.next(annotation.comment.end));
    let is_end = before.is_some_and(|before| match source.at(before) {
        b'{' => source.previous(before).is_none_or(|sign| source.at(sign) != b'='),
        b':' => is_label(source, before),
        b';' => !is_in_parentheses(source, before),
        b'}' => behind != "while" || !closes_do(source, before),
        _ => false,
    });
    match is_end && behind != "else" {
        true => Ok(()),
        false => {
            let message = "an assertion stands between the statements of a block";
            Err(Problem::wrong(&keyword(&annotation.comment), message).hint("put braces around it"))
        }
    }
}

/// Whether a colon ends the label of a statement of a block: not of one that is a part of another, and no `?:`.
fn is_label(source: &Source, colon: usize) -> bool {
    let start =
        (0..colon).rev().find(|&at| matches!(source.at(at), b'{' | b'}' | b';')).map_or(0, |at| at + 1);
    let first = source.word(source.next(start));
    let is_part = ["if", "else", "for", "while", "do", "switch", "return"].contains(&first);
    !is_part && !first.is_empty() && !(start..colon).any(|at| source.at(at) == b'?')
}

/// Whether a semicolon stands in the parentheses of a loop.
fn is_in_parentheses(source: &Source, semicolon: usize) -> bool {
    let mut depth = 0i32;
    for at in (0..semicolon).rev() {
        match source.at(at) {
            b')' => depth += 1,
            b'(' if depth == 0 => return true,
            b'(' => depth -= 1,
            b'{' | b'}' => return false,
            _ => {}
        }
    }
    false
}

/// Whether the block that is closed here is the body of a `do` loop.
fn closes_do(source: &Source, close: usize) -> bool {
    let mut depth = 0usize;
    for at in (0..=close).rev() {
        match source.at(at) {
            b'}' => depth += 1,
            b'{' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let before = source.previous(at).map_or(0, |before| before + 1);
            return source.word_before(before) == "do";
        }
    }
    false
}

/// Where claims go into a loop.
struct Head {
    keyword: Place,
    /// Where they are put in.
    inside: usize,
    way: Way,
}

enum Way {
    /// In front of a condition; where one must be made, that is its place.
    Condition { missing: Option<usize> },
    /// At the start of the body.
    Body,
}

fn loop_behind(source: &Source, annotation: &Annotation, clause: &Clause) -> Checked<Head> {
    let missing = || {
        let problem = Problem::wrong(&keyword(&clause.place), "an invariant stands in front of a loop");
        problem.hint("the body of a `do` loop needs braces")
    };
    loop_head(source, annotation).ok_or_else(missing)
}

fn loop_head(source: &Source, annotation: &Annotation) -> Option<Head> {
    let keyword = source.next(annotation.comment.end);
    let word = source.word(keyword);
    let open = source.next(keyword + word.len());
    let (inside, way) = match (word, source.at(open)) {
        ("while", b'(') => (open + 1, Way::Condition { missing: None }),
        ("for", b'(') => {
            let condition = source.semicolon(open + 1)? + 1;
            let next = source.next(condition);
            (condition, Way::Condition { missing: (source.at(next) == b';').then_some(next) })
        }
        ("do", b'{') => (open + 1, Way::Body),
        _ => return None,
    };
    Some(Head { keyword: keyword..keyword + word.len(), inside, way })
}
