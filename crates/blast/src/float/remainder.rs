//! What is easily said of the remainder of a division, C's `fmod`, which has no circuit.

use super::format::Format;
use super::round::{Special, finish};
use super::unpack::unpack;
use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// A word for the remainder of a by b. It is a itself where a is closer to zero than b; else it has the sign of a and is
/// closer to zero than b. No more is demanded.
pub(crate) fn remainder(circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge]) -> Word {
    let (a, b) = (unpack(circuit, format, a), unpack(circuit, format, b));
    let special = Special {
        is_nan: circuit.any([a.is_nan, a.is_infinite, b.is_nan, b.is_zero]),
        is_infinite: Edge::FALSE,
        is_zero: Edge::FALSE,
    };
    let is_less = words::less(circuit, &a.magnitude, &b.magnitude, false);
    let unknown: Word = a.magnitude.iter().map(|_| circuit.input()).collect();
    let fits = words::less(circuit, &unknown, &b.magnitude, false);
    let free = circuit.or(special.is_nan, is_less);
    circuit.demand_either(fits, free);
    let magnitude = words::mux(circuit, is_less, &a.magnitude, &unknown);
    finish(circuit, format, a.sign, &magnitude, special)
}
