//! Comparisons, and the operations on signs: directly on ranks, which are ordered like numbers.

use super::format::Format;
use super::unpack::unpack;
use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// Equal ranks of numbers, or two zeros.
pub(crate) fn equal(circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge]) -> Edge {
    let same = words::equal(circuit, a, b);
    let (a, b) = (unpack(circuit, format, a), unpack(circuit, format, b));
    let same_number = circuit.and(same, !a.is_nan);
    let both_zero = circuit.and(a.is_zero, b.is_zero);
    circuit.or(same_number, both_zero)
}

/// `a < b`, or `a <= b` if `or_equal` is true: as ranks, but for NaNs and zeros.
pub(crate) fn less(circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge], or_equal: bool) -> Edge {
    let before = words::less(circuit, a, b, or_equal);
    let (a, b) = (unpack(circuit, format, a), unpack(circuit, format, b));
    let both_zero = circuit.and(a.is_zero, b.is_zero);
    let ordered = match or_equal {
        true => circuit.or(before, both_zero),
        false => circuit.and(before, !both_zero),
    };
    circuit.all(vec![ordered, !a.is_nan, !b.is_nan])
}

/// The second if the first is a NaN or greater, else the first.
pub(crate) fn minimum(circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge]) -> Word {
    let is_less = less(circuit, format, b, a, false);
    second_if(circuit, format, a, b, is_less)
}

/// The second if the first is a NaN or less, else the first.
pub(crate) fn maximum(circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge]) -> Word {
    let is_less = less(circuit, format, a, b, false);
    second_if(circuit, format, a, b, is_less)
}

fn second_if(circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge], is_better: Edge) -> Word {
    let no_first = unpack(circuit, format, a).is_nan;
    let no_second = unpack(circuit, format, b).is_nan;
    let takes_second = circuit.or(no_first, is_better);
    let chosen = words::mux(circuit, takes_second, b, a);
    let no_number = circuit.and(no_first, no_second);
    words::mux(circuit, no_number, &format.nan(), &chosen)
}

pub(crate) fn absolute(circuit: &mut Circuit, a: &[Edge]) -> Word {
    let top = a[a.len() - 1];
    a.iter().map(|&bit| circuit.equal(bit, top)).collect()
}

/// The first with the sign of the second. A float and its opposite have inverted ranks.
pub(crate) fn copy_sign(circuit: &mut Circuit, a: &[Edge], b: &[Edge]) -> Word {
    let differs = circuit.xor(a[a.len() - 1], b[b.len() - 1]);
    a.iter().map(|&bit| circuit.xor(bit, differs)).collect()
}
