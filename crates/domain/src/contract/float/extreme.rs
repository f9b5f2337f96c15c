//! The smaller and the larger of two floats; a NaN is ignored beside a number.
//!
//! In the order of ranks this is the smaller rank, but for one pair: of two zeros, which are equal, the first operand is
//! the result, so the smaller of +0.0 and -0.0 is +0.0. The larger is the smaller of the negated floats, negated.

use super::format::Format;
use super::pieces::{Kind, Pieces};
use super::product::hull;
use super::rule::Left;
use super::span::Span;
use crate::domain::Domain;

/// Contracts `z = min(x, y)`, or `max`.
pub(super) fn extreme<F: Format>(is_max: bool, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let kind = Kind::float::<F>();
    if let (Some(x_run), Some(y_run), Some(z_run)) = (kind.run(x), kind.run(y), kind.run(z)) {
        let ([x_part, y_part], z_part) = numbers::<F>(is_max, [x_run, y_run], z_run)?;
        let narrowed = |domain, run, part| kind.narrowed(domain, run, part);
        return Some([narrowed(x, x_run, x_part)?, narrowed(y, y_run, y_part)?, narrowed(z, z_run, z_part)?]);
    }
    let given = [x, y, z].map(|domain| Pieces::of(kind, domain));
    let mut left = [Pieces::NONE; 3];
    for (z_place, z_span) in given[2].numbers() {
        for (x_place, x_span) in given[0].numbers() {
            for (y_place, y_span) in given[1].numbers() {
                let Some(([x, y], z)) = numbers::<F>(is_max, [x_span, y_span], z_span) else { continue };
                left[0].add(x_place, x);
                left[1].add(y_place, y);
                left[2].add(z_place, z);
            }
        }
        for n in (0..2).filter(|&n| given[1 - n].has_nan()) {
            for (place, span) in given[n].numbers() {
                let Some(common) = span.meet(z_span) else { continue };
                left[1 - n].add_nans(given[1 - n]);
                left[n].add(place, common);
                left[2].add(z_place, common);
            }
        }
    }
    if let (true, true, Some(place)) =
        (given[0].has_nan(), given[1].has_nan(), kind.place_in(z, given[2], F::NAN))
    {
        left[0].add_nans(given[0]);
        left[1].add_nans(given[1]);
        left[2].add(place, Span::point(F::NAN));
    }
    Some([left[0].left_of(kind, x)?, left[1].left_of(kind, y)?, left[2].left_of(kind, z)?])
}

fn numbers<F: Format>(is_max: bool, operands: [Span; 2], z: Span) -> Left<2> {
    if !is_max {
        return smaller::<F>(operands, z);
    }
    let (operands, z) = smaller::<F>(operands.map(F::negated_span), F::negated_span(z))?;
    Some((operands.map(F::negated_span), F::negated_span(z)))
}

fn smaller<F: Format>([x, y]: [Span; 2], z: Span) -> Left<2> {
    let is_zeros = x.contains(F::ZERO) && y.contains(F::MINUS_ZERO) && z.contains(F::ZERO);
    let zeros = ([Span::point(F::ZERO), Span::point(F::MINUS_ZERO)], Span::point(F::ZERO));
    hull(smaller_rank::<F>([x, y], z), is_zeros.then_some(zeros))
}

/// Contracts `z = min(x, y)` by rank, for operands that are not +0.0 and -0.0.
fn smaller_rank<F: Format>([mut x, mut y]: [Span; 2], mut z: Span) -> Left<2> {
    if x.is_point(F::ZERO) {
        y = y.without(F::MINUS_ZERO)?;
    } else if y.is_point(F::MINUS_ZERO) {
        x = x.without(F::ZERO)?;
    }
    z = z.meet(Span { lo: x.lo.min(y.lo), hi: x.hi.min(y.hi) })?;
    let (x_is_larger, y_is_larger) = (x.lo > z.hi, y.lo > z.hi);
    x = Span::new(x.lo.max(z.lo), if y_is_larger { x.hi.min(z.hi) } else { x.hi })?;
    y = Span::new(y.lo.max(z.lo), if x_is_larger { y.hi.min(z.hi) } else { y.hi })?;
    Some(([x, y], z))
}
