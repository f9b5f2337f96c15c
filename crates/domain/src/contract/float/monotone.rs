//! Functions that rise or fall in each operand: the optimal image, and the exact preimage operand by operand.
//!
//! On runs of operands the result lies between its values at two corners, and both are reached. An operand keeps the
//! values for which the result can be small enough, the other operands being as favourable as they can be, and those
//! for which it can be large enough. Rounding is monotone, so this is true of rounded functions as of exact ones, and
//! the border between values that are and are not small enough is searched for with the rounded function itself.

use super::rule::Left;
use super::span::Span;

/// A function of `N` operands, monotone in each of them on the runs that it is contracted on.
pub(super) trait Monotone<const N: usize> {
    /// The code of the result. Beyond [`Monotone::range`] there is none: the operands are not valid together.
    fn value(&self, operands: [u64; N]) -> u64;

    /// Whether it rises in an operand, as most functions do; otherwise it falls.
    #[inline]
    fn rises(&self, _n: usize) -> bool {
        true
    }

    /// All results.
    fn range(&self) -> Span;

    /// About the operand at which the result changes from `result` to the next code, the others being given.
    fn guess(&self, n: usize, result: u64, operands: [u64; N]) -> u64;
}

/// Contracts `z = f(operands)`.
///
/// Operands that are not valid together count as a result as small, or as large, as is asked for. This is right for a
/// function whose operands were trimmed so that each end of each of them is valid with some values of the others: such
/// an end is an infinity or a zero, with which all valid results are the last or the first of the range.
#[inline]
pub(super) fn contract<const N: usize>(
    f: &impl Monotone<N>,
    mut operands: [Span; N],
    mut z: Span,
) -> Left<N> {
    let range = f.range();
    let image = Span { lo: f.value(corner(f, &operands, false)), hi: f.value(corner(f, &operands, true)) };
    z = z.meet(image)?;
    for n in 0..N {
        let at = |mut others: [u64; N], code: u64| {
            others[n] = code;
            others
        };
        let (low, high) = (corner(f, &operands, false), corner(f, &operands, true));
        let small_enough = |code: u64| f.value(at(low, code)).min(range.hi) <= z.hi;
        let large_enough = |code: u64| {
            let value = f.value(at(high, code));
            (if range.contains(value) { value } else { range.lo }) >= z.lo
        };
        let upper = || f.guess(n, z.hi, low);
        let lower = || f.guess(n, z.lo - 1, high);
        let span = operands[n];
        operands[n] = if f.rises(n) {
            let hi = span.last(upper, small_enough)?;
            Span::new(span.first(lower, large_enough)?, hi)?
        } else {
            let lo = span.first(upper, small_enough)?;
            Span::new(lo, span.last(lower, large_enough)?)?
        };
    }
    Some((operands, z))
}

/// The operands at which the function is least, or greatest.
#[inline]
fn corner<const N: usize>(f: &impl Monotone<N>, operands: &[Span; N], is_greatest: bool) -> [u64; N] {
    std::array::from_fn(|n| if f.rises(n) == is_greatest { operands[n].hi } else { operands[n].lo })
}
