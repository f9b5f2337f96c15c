//! Square roots, by what they satisfy.

use rustc_hash::FxHashMap;

use super::exponent::Exponent;
use super::format::Format;
use super::round::{Special, Unrounded, round};
use super::unpack::unpack;
use crate::circuit::{Circuit, Edge, Word};
use crate::columns::Columns;
use crate::multiply::{add_natural_multiple, add_natural_product};
use crate::words;

/// The roots of significands made so far.
#[derive(Default)]
pub(crate) struct Roots {
    known: FxHashMap<Word, Root>,
}

/// The leading bits of a root, and whether there is more.
#[derive(Clone)]
struct Root {
    bits: Word,
    sticky: Edge,
}

impl Roots {
    pub fn root(&mut self, circuit: &mut Circuit, format: Format, a: &[Edge]) -> Word {
        let a = unpack(circuit, format, a);
        let (exponent, significand) = a.normalized(circuit);
        let (exponent, is_odd) = halved(circuit, exponent);
        let plain = words::filled(&significand, significand.len() + 1);
        let doubled = [&[Edge::FALSE], significand.as_slice()].concat();
        let radicand = words::mux(circuit, is_odd, &doubled, &plain);
        let root = self.root_of_significand(circuit, radicand);
        let number = Unrounded { sign: a.sign, exponent, significand: root.bits, sticky: root.sticky };
        let negative = circuit.and(a.sign, !a.is_zero);
        let special = Special {
            is_nan: circuit.or(a.is_nan, negative),
            is_infinite: a.is_infinite,
            is_zero: a.is_zero,
        };
        round(circuit, format, number, special)
    }

    fn root_of_significand(&mut self, circuit: &mut Circuit, radicand: Word) -> Root {
        if let Some(root) = self.known.get(&radicand) {
            return root.clone();
        }
        let root = match words::as_constant(&radicand) {
            Some(n) => constant(n, radicand.len()),
            None => related(circuit, &radicand),
        };
        self.known.insert(radicand, root.clone());
        root
    }
}

/// Half of an exponent, rounded down, and whether it is odd.
fn halved(circuit: &mut Circuit, exponent: Exponent) -> (Exponent, Edge) {
    let even = match exponent.offset % 2 {
        0 => exponent,
        _ => exponent.plus(circuit, &Exponent::new(Word::new(), -1), Edge::TRUE),
    };
    (Exponent::new(even.word[1..].to_vec(), even.offset / 2), even.word[0])
}

/// As many bits as the radicand has.
fn constant(n: u64, size: usize) -> Root {
    let n = u128::from(n) << size;
    let root = n.isqrt();
    let bits = u64::try_from(root).expect("a root should have as many bits as its radicand");
    Root { bits: words::natural(bits, size), sticky: Edge::constant(root * root != n) }
}

/// `q * q + r = n << size` and `r <= 2 * q`: both exist and are unique. Nothing overflows, so that the equation modulo a
/// power of two is the equation. The first bit of the root is a one because one of the first two of n is.
fn related(circuit: &mut Circuit, n: &[Edge]) -> Root {
    let mut root: Word = n[1..].iter().map(|_| circuit.input()).collect();
    root.push(Edge::TRUE);
    let remainder: Word = (0..=n.len()).map(|_| circuit.input()).collect();
    let mut columns = Columns::new(2 * n.len() + 1);
    add_natural_product(circuit, &mut columns, &root, &root);
    add_natural_multiple(&mut columns, 1, &remainder);
    let sum = columns.sum(circuit);
    let shifted = [&vec![Edge::FALSE; n.len()], n].concat();
    words::demand_equal(circuit, &sum, &words::filled(&shifted, sum.len()));
    let doubled = [&[Edge::FALSE], root.as_slice()].concat();
    let is_small = words::less(circuit, &remainder, &doubled, true);
    circuit.demand(is_small);
    Root { sticky: circuit.any(remainder), bits: root }
}
