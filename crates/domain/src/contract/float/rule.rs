//! A function whose results are numbers or NaNs, case by case.
//!
//! All operands are numbers and the result is one; or they are numbers and the result is a NaN, as with ∞ - ∞; or an
//! operand is a NaN. What the possible cases leave is united inside the given domains.

use super::pieces::{Kind, Pieces};
use super::span::Span;
use crate::domain::Domain;

/// What is left of operands and of their result.
pub(super) type Left<const N: usize> = Option<([Span; N], Span)>;

/// A function of `N` operands on numbers.
pub(super) trait Rule<const N: usize> {
    /// What is left of runs of numbers, the result being a number. `None` if there is no solution.
    fn numbers(&self, operands: [Span; N], result: Span) -> Left<N>;

    /// Calls `found` with runs that hold all operands among the given ones that have no number as result.
    fn invalid(&self, _operands: [Span; N], _found: impl FnMut([Span; N])) {}
}

/// How the variables are read, and what the result is if it is not a function of numbers.
#[derive(Clone, Copy)]
pub(super) struct Signature<const N: usize> {
    pub(super) operands: [Kind; N],
    pub(super) result: Kind,
    /// The code of the result for a NaN.
    pub(super) of_nan: u64,
}

/// Contracts `z = f(operands)`.
#[inline]
pub(super) fn contract<const N: usize>(
    rule: &impl Rule<N>,
    signature: Signature<N>,
    operands: [Domain; N],
    z: Domain,
) -> Option<([Domain; N], Domain)> {
    let runs: [Option<Span>; N] = std::array::from_fn(|n| signature.operands[n].run(operands[n]));
    match (runs.iter().all(|run| run.is_some()), signature.result.run(z)) {
        (true, Some(result)) => {
            let runs = runs.map(|run| run.expect("all were looked at"));
            let (parts, part) = rule.numbers(runs, result)?;
            let mut left = operands;
            for n in 0..N {
                left[n] = signature.operands[n].narrowed(operands[n], runs[n], parts[n])?;
            }
            Some((left, signature.result.narrowed(z, result, part)?))
        }
        _ => contract_pieces(rule, signature, operands, z),
    }
}

/// Contracts `z = f(operands)` case by case.
fn contract_pieces<const N: usize>(
    rule: &impl Rule<N>,
    signature: Signature<N>,
    operands: [Domain; N],
    z: Domain,
) -> Option<([Domain; N], Domain)> {
    let given: [Pieces; N] = std::array::from_fn(|n| Pieces::of(signature.operands[n], operands[n]));
    let results = Pieces::of(signature.result, z);
    let of_nan = signature.result.place_in(z, results, signature.of_nan);
    let mut left = [Pieces::NONE; N];
    let mut results_left = Pieces::NONE;
    for choice in 0..1 << N {
        let Some((places, numbers)) = chosen(given, choice) else { continue };
        for (place, result) in results.numbers() {
            let Some((parts, part)) = rule.numbers(numbers, result) else { continue };
            results_left.add(place, part);
            (0..N).for_each(|n| left[n].add(places[n], parts[n]));
        }
        let Some(place) = of_nan else { continue };
        rule.invalid(numbers, |parts| {
            results_left.add(place, Span::point(signature.of_nan));
            (0..N).for_each(|n| left[n].add(places[n], parts[n]));
        });
    }
    if let Some(place) = of_nan {
        for n in (0..N).filter(|&n| given[n].has_nan()) {
            results_left.add(place, Span::point(signature.of_nan));
            left[n].add_nans(given[n]);
            (0..N).filter(|&other| other != n).for_each(|other| left[other].add_all(given[other]));
        }
    }
    let mut contracted = operands;
    for n in 0..N {
        contracted[n] = left[n].left_of(signature.operands[n], operands[n])?;
    }
    Some((contracted, results_left.left_of(signature.result, z)?))
}

/// One piece of numbers of each operand, with its place; the bits of `choice` tell which.
#[inline]
fn chosen<const N: usize>(given: [Pieces; N], choice: usize) -> Option<([usize; N], [Span; N])> {
    let mut places = [0; N];
    let mut numbers = [Span::point(0); N];
    for n in 0..N {
        (places[n], numbers[n]) = given[n].numbers().nth(choice >> n & 1)?;
    }
    Some((places, numbers))
}
