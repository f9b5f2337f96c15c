//! What an arc of ranks says about the parts of a float.
//!
//! Floats between two numbers seldom agree in a bit, but they may all be finite or normal. That is demanded of the gates
//! which tell it, so that these are constant for whoever unpacks the float, and most of what only special floats need
//! folds away.

use quipu_domain::Interval;
use quipu_num::{FloatWidth, number_ranks, unrank};

use super::format::Format;
use super::unpack::unpack;
use crate::circuit::{Circuit, Edge};

/// Demands what all floats on an arc have in common; the word lies on it.
pub(crate) fn demand_common(circuit: &mut Circuit, w: FloatWidth, rank: &[Edge], arc: Interval) {
    let (least, greatest) = number_ranks(w);
    if !arc.is_subset(w.width(), Interval::new(w.width(), least, greatest)) {
        return;
    }
    let format = Format::of(w);
    let float = unpack(circuit, format, rank);
    circuit.demand(!float.is_nan);
    let magnitudes = [arc.lo(), arc.hi()].map(|rank| unrank(w, rank) % (1 << (w.bits() - 1)));
    let zero = 1 << (w.bits() - 1);
    let least = if arc.lo() < zero && arc.hi() >= zero { 0 } else { magnitudes[0].min(magnitudes[1]) };
    let greatest = magnitudes[0].max(magnitudes[1]);
    let field = |magnitude: u64| (magnitude >> format.fraction) as i64;
    if greatest < format.infinity() {
        circuit.demand(!float.is_infinite);
    }
    if least > 0 {
        circuit.demand(!float.is_zero);
    }
    if field(least) > 0 {
        circuit.demand(!float.is_small);
    }
    let exponent = float.plain_exponent().shifted(format.bias());
    let (from, beyond) =
        (exponent.at_least(circuit, field(least)), exponent.at_least(circuit, field(greatest) + 1));
    circuit.demand(from);
    circuit.demand(!beyond);
}
