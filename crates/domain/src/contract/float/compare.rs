//! Comparisons of floats with their truth value, in both directions.
//!
//! Numbers are compared as values: the two zeros are equal, though their ranks differ. A NaN makes every comparison
//! false but "not equal".

use super::format::Format;
use super::pieces::{Kind, Pieces};
use super::span::Span;
use crate::domain::Domain;
use quipu_num::FloatCmp;

/// Contracts `b = cmp(x, y)`, `b` being of width 1.
pub(super) fn compare<F: Format>(cmp: FloatCmp, x: Domain, y: Domain, b: Domain) -> Option<[Domain; 3]> {
    let truth =
        |is_true: bool| contract::<F>(cmp, is_true, x, y).map(|[x, y]| [x, y, Domain::truth(is_true)]);
    match b.is_singleton() {
        Some(value) => truth(value == 1),
        None => match (truth(false), truth(true)) {
            // Every pair of operands is one of a case, so that nothing of them is lost.
            (Some(_), Some(_)) => Some([x, y, b]),
            (only, None) | (None, only) => only,
        },
    }
}

/// A relation between numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Different,
    Less,
    LessOrEqual,
}

/// Contracts a comparison that holds, or does not.
fn contract<F: Format>(cmp: FloatCmp, is_true: bool, x: Domain, y: Domain) -> Option<[Domain; 2]> {
    let with_nan = is_true == (cmp == FloatCmp::Ne);
    let swapped = |relation: Relation| related::<F>(relation, with_nan, y, x).map(|[y, x]| [x, y]);
    match (cmp, is_true) {
        (FloatCmp::Eq, true) | (FloatCmp::Ne, false) => related::<F>(Relation::Equal, with_nan, x, y),
        (FloatCmp::Eq, false) | (FloatCmp::Ne, true) => related::<F>(Relation::Different, with_nan, x, y),
        (FloatCmp::Lt, true) => related::<F>(Relation::Less, with_nan, x, y),
        (FloatCmp::Lt, false) => swapped(Relation::LessOrEqual),
        (FloatCmp::Le, true) => related::<F>(Relation::LessOrEqual, with_nan, x, y),
        (FloatCmp::Le, false) => swapped(Relation::Less),
    }
}

/// Contracts: the operands are numbers in a relation or, if `with_nan`, one of them is a NaN.
fn related<F: Format>(relation: Relation, with_nan: bool, x: Domain, y: Domain) -> Option<[Domain; 2]> {
    let kind = Kind::float::<F>();
    if let (Some(x_run), Some(y_run)) = (kind.run(x), kind.run(y)) {
        let [x_part, y_part] = numbers::<F>(relation, x_run, y_run)?;
        return Some([kind.narrowed(x, x_run, x_part)?, kind.narrowed(y, y_run, y_part)?]);
    }
    let (xs, ys) = (Pieces::of(kind, x), Pieces::of(kind, y));
    let (mut x_left, mut y_left) = (Pieces::NONE, Pieces::NONE);
    for (x_place, x_span) in xs.numbers() {
        for (y_place, y_span) in ys.numbers() {
            let Some([x_part, y_part]) = numbers::<F>(relation, x_span, y_span) else { continue };
            x_left.add(x_place, x_part);
            y_left.add(y_place, y_part);
        }
    }
    if with_nan && xs.has_nan() {
        x_left.add_nans(xs);
        y_left.add_all(ys);
    }
    if with_nan && ys.has_nan() {
        x_left.add_all(xs);
        y_left.add_nans(ys);
    }
    let keep = |pieces: Pieces, domain: Domain| {
        let left = pieces.left_of(kind, domain)?;
        // As with integers, one number missing is no reason to give a full circle its gap; see `Domain::without`.
        let is_open =
            relation == Relation::Different && domain.covers_bits(F::WIDTH) && domain.span(F::WIDTH) > 2;
        Some(if is_open { domain } else { left })
    };
    Some([keep(x_left, x)?, keep(y_left, y)?])
}

fn numbers<F: Format>(relation: Relation, x: Span, y: Span) -> Option<[Span; 2]> {
    match relation {
        Relation::Equal => {
            let x = x.meet(with_equals::<F>(y))?;
            Some([x, y.meet(with_equals::<F>(x))?])
        }
        Relation::Different => Some([other_than::<F>(x, y)?, other_than::<F>(y, x)?]),
        Relation::Less => {
            let (above, below) =
                (with_equals::<F>(Span::point(x.lo)).hi + 1, with_equals::<F>(Span::point(y.hi)).lo - 1);
            Some([Span::new(x.lo, x.hi.min(below))?, Span::new(y.lo.max(above), y.hi)?])
        }
        Relation::LessOrEqual => {
            let (least, most) =
                (with_equals::<F>(Span::point(x.lo)).lo, with_equals::<F>(Span::point(y.hi)).hi);
            Some([Span::new(x.lo, x.hi.min(most))?, Span::new(y.lo.max(least), y.hi)?])
        }
    }
}

/// A run with both zeros if it holds one.
fn with_equals<F: Format>(span: Span) -> Span {
    if span.meet(F::ZEROS).is_some() { span.hull(F::ZEROS) } else { span }
}

/// The part of a run that differs from another run, if that has only one value.
fn other_than<F: Format>(span: Span, value: Span) -> Option<Span> {
    if value.lo != value.hi && value.meet(F::ZEROS) != Some(value) {
        return Some(span);
    }
    let Span { lo: first, hi: last } = with_equals::<F>(value);
    let within = |code: u64| first <= code && code <= last;
    let lo = if within(span.lo) { last + 1 } else { span.lo };
    let hi = if within(span.hi) { first - 1 } else { span.hi };
    Span::new(lo, hi)
}
