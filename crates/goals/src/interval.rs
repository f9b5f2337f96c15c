//! Checks that cannot fail, whatever the inputs are: seen from constants and from the widths before conversions.

use quipu_ir::{FuncBody, InstKind, Value};
use quipu_num::{Cast, Guard, Width};

use crate::address::Addresses;

/// Whether a guard holds for all values that its operands can have.
pub(crate) fn holds_always(
    body: &FuncBody,
    addresses: &Addresses<'_>,
    guard: Guard,
    a: Value,
    b: Value,
) -> bool {
    let constant = |value: Value| addresses.constant(value);
    if let (Some(a), Some(b)) = (constant(a), constant(b)) {
        return guard.holds((a, b));
    }
    let ranges = || Some((range(body, addresses, a)?, range(body, addresses, b)?));
    let corners = |width: Width, op: fn(i128, i128) -> i128| {
        let Some(((a, b), (x, y))) = ranges() else { return false };
        let limits =
            i128::from(width.signed(width.min_signed()))..=i128::from(width.signed(width.max_signed()));
        [op(a, x), op(a, y), op(b, x), op(b, y)].iter().all(|corner| limits.contains(corner))
    };
    match guard {
        Guard::AddFits(width) => corners(width, |a, b| a + b),
        Guard::SubFits(width) => corners(width, |a, b| a - b),
        Guard::MulFits(width) => corners(width, |a, b| a * b),
        Guard::NonZero(_) | Guard::AnyBit(_) => constant(b).is_some_and(|b| guard.holds((0, b))),
        Guard::ShiftInRange { .. } => constant(b).is_some_and(|b| guard.holds((0, b))),
        Guard::QuotientFits(width) => {
            constant(b).is_some_and(|b| b != width.mask())
                || range(body, addresses, a)
                    .is_some_and(|(low, _)| low > i128::from(width.signed(width.min_signed())))
        }
        Guard::FloatFits { .. } => constant(a).is_some_and(|a| guard.holds((a, 0))),
        Guard::IndexBelow(_) | Guard::IndexAtMost(_) => ranges().is_some_and(|((low, high), (least, _))| {
            low >= 0 && (high < least || (high == least && matches!(guard, Guard::IndexAtMost(_))))
        }),
        Guard::ShlFits(_) => false,
    }
}

/// The least and the greatest value, as a signed number.
fn range(body: &FuncBody, addresses: &Addresses<'_>, value: Value) -> Option<(i128, i128)> {
    let width = body.ty(value).width()?;
    let signed = |width: Width, bits: u64| i128::from(width.signed(bits));
    if let Some(bits) = addresses.constant(value) {
        return Some((signed(width, bits), signed(width, bits)));
    }
    match addresses.inst(value).map(|inst| &inst.kind) {
        Some(InstKind::Cast(Cast::ZExt(from, _), _)) => Some((0, i128::from(from.mask()))),
        Some(InstKind::Cast(Cast::SExt(from, _), _)) => {
            Some((signed(*from, from.min_signed()), signed(*from, from.max_signed())))
        }
        _ => Some((signed(width, width.min_signed()), signed(width, width.max_signed()))),
    }
}
