//! Answers for people.

use quipu_domain::Domain;
use quipu_model::Var;
use quipu_model_text::{Document, Integer, Named, Query, QueryKind, Type};
use quipu_num::{FloatWidth, Width};
use quipu_solve::{Report, Solution};

use super::answer::{Answer, Stopped};
use super::floats::{Floats, Nans};

/// What follows the heading, and the solutions that were told before.
pub fn answer(document: &Document, query: &Query, answer: &Answer) -> String {
    match answer {
        Answer::None => "  no solution".into(),
        Answer::Solution(solution) => format!("  {}", values(document, query, solution)),
        Answer::GaveUp(stopped) => format!("  gave up: {}", reason(*stopped)),
        Answer::Domains { domains, stopped } => {
            let mut lines: Vec<String> = domains
                .iter()
                .map(|&(var, domain)| format!("  {}", domain_line(document, var, domain)))
                .collect();
            lines.extend(stopped.map(|stopped| format!("  not finished: {}", reason(stopped))));
            lines.join("\n")
        }
        Answer::Solutions { count, stopped, .. } => number_of_solutions(query, *count, *stopped),
    }
}

fn number_of_solutions(query: &Query, count: u64, stopped: Option<Stopped>) -> String {
    let plural = if count == 1 { "" } else { "s" };
    match stopped {
        None if count == 0 => "  no solution".into(),
        None => format!("  {count} solution{plural}"),
        Some(Stopped::Enough) if query.kind == QueryKind::All => {
            format!("  {count} solution{plural}, as many as asked for")
        }
        Some(Stopped::Enough) => format!("  at least {count} solution{plural}"),
        Some(stopped) => format!("  at least {count} solution{plural}; gave up: {}", reason(stopped)),
    }
}

fn reason(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Effort => "the effort allowed is used up (--effort)",
        Stopped::Unfoldings => "a loop or a recursion goes on for more turns than allowed (--unfold)",
        Stopped::Time => "the time allowed is used up (--timeout)",
        Stopped::User => "interrupted",
        Stopped::Enough => "enough solutions",
        Stopped::Unconfirmed => {
            "a circle of calls was taken for true, or the solver is at fault: the solution found does not satisfy the model"
        }
    }
}

/// `x = 2, a = [3, 4, 5]`.
pub fn values(document: &Document, query: &Query, solution: &Solution) -> String {
    let number = |var: Var| ty(document, var).show(solution[var]);
    let mut parts = Vec::new();
    let mut rest = query.variables.as_slice();
    while let Some((&var, tail)) = rest.split_first() {
        match owner(document, var) {
            Some(array) if array.array && rest.starts_with(&array.vars) => {
                let items: Vec<String> = array.vars.iter().map(|&item| number(item)).collect();
                parts.push(format!("{} = [{}]", array.name, items.join(", ")));
                rest = &rest[array.vars.len()..];
            }
            _ => {
                parts.push(format!("{} = {}", name(document, var), number(var)));
                rest = tail;
            }
        }
    }
    if parts.is_empty() { "a solution".into() } else { parts.join(", ") }
}

/// `x in 4..11`, `x = 3`, with known bits where they say more.
fn domain_line(document: &Document, var: Var, domain: Domain) -> String {
    let ty = ty(document, var);
    let name = name(document, var);
    match (domain.is_singleton(), ty) {
        (Some(value), _) => format!("{name} = {}", ty.show(value)),
        (None, Type::Float(w)) => format!("{name} {}", floats(w, domain)),
        (None, Type::Integer(_)) => {
            let (first, last) = ends(document, var, domain);
            format!("{name} in {}..{}{}", ty.show(first), ty.show(last), known_bits(ty.width(), domain))
        }
    }
}

/// `in 1.5..inf or nan`.
fn floats(w: FloatWidth, domain: Domain) -> String {
    let Floats { numbers, nans } = Floats::of(w, domain.interval());
    let show = |value: u64| Type::Float(w).show(value);
    let mut parts: Vec<String> =
        numbers.iter().map(|&(first, last)| format!("{}..{}", show(first), show(last))).collect();
    parts.extend(match nans {
        Nans::None => None,
        Nans::Some => Some("some nan".to_owned()),
        Nans::All => Some("nan".to_owned()),
    });
    format!("in {}", parts.join(" or "))
}

/// The type that a variable is declared with.
pub fn ty(document: &Document, var: Var) -> Type {
    Type::of(&document.model.vars()[var])
}

/// The first and last value; all values are shown from the smallest to the largest of the type.
pub fn ends(document: &Document, var: Var, domain: Domain) -> (u64, u64) {
    let Integer { width: w, signed } = ty(document, var).as_integer();
    if domain.is_full(w) && signed { (w.min_signed(), w.max_signed()) } else { (domain.lo(), domain.hi()) }
}

fn known_bits(w: Width, domain: Domain) -> String {
    let by_arc = Domain::from_interval(w, domain.interval());
    match domain.bits() == by_arc.bits() {
        true => String::new(),
        false => format!(", bits {}", bit_pattern(w, domain)),
    }
}

/// The bits, the highest first, with `?` for those that are not known.
pub fn bit_pattern(w: Width, domain: Domain) -> String {
    let bit = |position: u32| match (domain.bits().ones >> position & 1, domain.bits().zeros >> position & 1)
    {
        (1, _) => '1',
        (_, 1) => '0',
        _ => '?',
    };
    (0..w.bits()).rev().map(bit).collect()
}

/// The declared variable or array that a variable belongs to.
pub fn owner(document: &Document, var: Var) -> Option<&Named> {
    document.names.iter().find(|named| named.vars.contains(&var))
}

/// The name of a variable: `x`, `a[2]`.
pub fn name(document: &Document, var: Var) -> String {
    match owner(document, var) {
        Some(named) if named.array => {
            let position = named.vars.iter().position(|&other| other == var).unwrap_or(0);
            format!("{}[{position}]", named.name)
        }
        Some(named) => named.name.clone(),
        None => document.model.vars()[var].name.clone(),
    }
}

/// How much work an answer took.
pub fn effort(report: &Report) -> String {
    format!(
        "{} contractions, {} narrowings, {} decisions, {} conflicts, {} unfoldings; SAT: {} variables, {} clauses, {} conflicts",
        report.contractions,
        report.narrowings,
        report.decisions,
        report.conflicts,
        report.unfoldings,
        report.sat_variables,
        report.sat_clauses,
        report.sat_conflicts
    )
}
