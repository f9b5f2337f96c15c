//! Rounding to integers, on magnitudes: the bits below the unit are cleared, or filled and one is added.

use quipu_num::FloatUnary;

use super::exponent::Exponent;
use super::format::Format;
use super::round::{Special, finish, increment};
use super::unpack::{Unpacked, unpack};
use crate::circuit::{Circuit, Edge, Word};
use crate::{shift, words};

/// Which way a number between two integers goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Down,
    Up,
    ToZero,
    /// To the nearest, halves away from zero.
    Nearest,
    NearestEven,
}

impl Direction {
    /// The direction of an operation that rounds to integers.
    pub fn of(op: FloatUnary) -> Option<Direction> {
        match op {
            FloatUnary::Floor => Some(Direction::Down),
            FloatUnary::Ceil => Some(Direction::Up),
            FloatUnary::Trunc => Some(Direction::ToZero),
            FloatUnary::Round => Some(Direction::Nearest),
            FloatUnary::RoundEven => Some(Direction::NearestEven),
            FloatUnary::Neg | FloatUnary::Abs | FloatUnary::Sqrt => None,
        }
    }

    /// Whether the magnitude grows, given the sign, whether the unit is odd, the bit of one half, and whether there is
    /// a bit below.
    fn grows(self, circuit: &mut Circuit, sign: Edge, is_odd: Edge, half: Edge, below: Edge) -> Edge {
        match self {
            Direction::ToZero => Edge::FALSE,
            Direction::Nearest => half,
            Direction::NearestEven => {
                let not_tie = circuit.or(below, is_odd);
                circuit.and(half, not_tie)
            }
            Direction::Down | Direction::Up => {
                let outward = if self == Direction::Down { sign } else { !sign };
                let inexact = circuit.or(half, below);
                circuit.and(outward, inexact)
            }
        }
    }
}

pub(crate) fn to_integral(circuit: &mut Circuit, format: Format, direction: Direction, a: &[Edge]) -> Word {
    let a = unpack(circuit, format, a);
    let exponent = a.raw_exponent(circuit);
    let is_below_one = !exponent.at_least(circuit, 0);
    let large = above_one(circuit, format, direction, &a, &exponent);
    let small = below_one(circuit, format, direction, &a, &exponent);
    let magnitude = words::mux(circuit, is_below_one, &small, &large);
    let special = Special { is_nan: a.is_nan, is_infinite: a.is_infinite, is_zero: Edge::FALSE };
    finish(circuit, format, a.sign, &magnitude, special)
}

/// The magnitude of a number that is less than one: that of zero or of one.
fn below_one(
    circuit: &mut Circuit,
    format: Format,
    direction: Direction,
    a: &Unpacked,
    exponent: &Exponent,
) -> Word {
    let at_least_half = exponent.at_least(circuit, -1);
    let significand = a.raw_significand();
    let (&hidden, fraction) = significand.split_last().expect("there is a hidden bit");
    let half = circuit.and(at_least_half, hidden);
    let any_fraction = circuit.any(fraction.iter().copied());
    let other = circuit.and(hidden, !at_least_half);
    let below = circuit.or(any_fraction, other);
    let grows = direction.grows(circuit, a.sign, Edge::FALSE, half, below);
    let one = words::natural(format.bias() as u64, format.exponent);
    let field = one.into_iter().map(|bit| circuit.and(bit, grows));
    std::iter::repeat_n(Edge::FALSE, format.fraction).chain(field).collect()
}

/// The magnitude of a number that is at least one.
fn above_one(
    circuit: &mut Circuit,
    format: Format,
    direction: Direction,
    a: &Unpacked,
    exponent: &Exponent,
) -> Word {
    // A one for every bit of the fraction that is worth less than one.
    let unsigned = exponent.modulo(circuit, format.exponent);
    let ones = vec![Edge::TRUE; format.fraction];
    let mask = shift::right(circuit, &ones, &unsigned, Edge::FALSE);
    // One more bit at each end, because the unit may be the hidden one.
    let significand = a.raw_significand();
    let at = |mask: &[Edge], i: usize| mask.get(i).copied().unwrap_or(Edge::FALSE);
    let mut select = |is_there: &dyn Fn(&mut Circuit, usize) -> Edge| -> Edge {
        let bits: Word = (0..significand.len())
            .map(|i| {
                let is_there = is_there(circuit, i);
                circuit.and(significand[i], is_there)
            })
            .collect();
        circuit.any(bits)
    };
    let half = select(&|circuit, i| circuit.and(at(&mask, i), !at(&mask, i + 1)));
    let below = select(&|_, i| at(&mask, i + 1));
    let is_odd = select(&|circuit, i| {
        let under = if i == 0 { Edge::TRUE } else { at(&mask, i - 1) };
        circuit.and(!at(&mask, i), under)
    });
    let grows = direction.grows(circuit, a.sign, is_odd, half, below);
    let filled: Word =
        (0..a.magnitude.len()).map(|i| circuit.mux(at(&mask, i), grows, a.magnitude[i])).collect();
    increment(circuit, &filled, grows)
}
