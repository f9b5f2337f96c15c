//! What is known at the head of a loop: an octagon, and a domain for each of its dimensions.

use quipu_domain::{Bits, Domain, Interval};
use quipu_num::Width;

use crate::octagon::{Literal, Octagon};
use crate::reader::bounds;
use crate::turn::Dimension;

/// A set of vectors of machine integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub octagon: Octagon,
    pub domains: Vec<Domain>,
}

impl State {
    /// All vectors.
    pub fn full(dimensions: &[Dimension]) -> State {
        let domains = dimensions.iter().map(|dimension| Domain::full(dimension.width)).collect();
        let octagon = within_limits(&Octagon::full(dimensions.len()), dimensions);
        State { octagon: octagon.closed().expect("machine integers exist"), domains }
    }

    /// The same vectors, with everything in the octagon that the domains tell and the other way round; none if there
    /// are none.
    pub fn reduced(&self, dimensions: &[Dimension]) -> Option<State> {
        let mut octagon = within_limits(&self.octagon, dimensions);
        note_domains(&mut octagon, dimensions, &self.domains);
        let octagon = octagon.closed()?;
        let mut domains = Vec::with_capacity(self.domains.len());
        for (n, (dimension, &domain)) in dimensions.iter().zip(&self.domains).enumerate() {
            domains.push(narrowed(domain, dimension.width, octagon.range(n))?);
        }
        Some(State { octagon, domains })
    }

    pub fn join(&self, other: &State, dimensions: &[Dimension]) -> State {
        let pairs = self.domains.iter().zip(&other.domains).zip(dimensions);
        let domains = pairs.map(|((a, &b), dimension)| a.join(dimension.width, b)).collect();
        State { octagon: self.octagon.join(&other.octagon), domains }
    }

    /// Bounds that `other` exceeds are given up, or moved to a threshold.
    pub fn widened(&self, other: &State, dimensions: &[Dimension], thresholds: &[i128]) -> State {
        let pairs = self.domains.iter().zip(&other.domains).zip(dimensions);
        let domains = pairs.map(|((&old, &new), dimension)| {
            let w = dimension.width;
            match new.is_subset(w, old) {
                true => old,
                false => with_bits(w, old.bits().join(new.bits())),
            }
        });
        State { octagon: self.octagon.widened(&other.octagon, thresholds), domains: domains.collect() }
    }

    /// The vectors of both.
    pub fn meet(&self, other: &State, dimensions: &[Dimension]) -> Option<State> {
        let mut domains = Vec::with_capacity(self.domains.len());
        for ((a, b), dimension) in self.domains.iter().zip(&other.domains).zip(dimensions) {
            domains.push(a.meet(dimension.width, *b)?);
        }
        State { octagon: self.octagon.meet(&other.octagon), domains }.reduced(dimensions)
    }

    /// Whether this state, which must be closed, is a part of the other, as far as can be seen.
    pub fn is_within(&self, other: &State, dimensions: &[Dimension]) -> bool {
        let mut pairs = self.domains.iter().zip(&other.domains).zip(dimensions);
        self.octagon.is_within(&other.octagon)
            && pairs.all(|((&a, &b), dimension)| a.is_subset(dimension.width, b))
    }

    /// Whether a vector of values in canonical bits belongs to it.
    pub fn contains(&self, dimensions: &[Dimension], values: &[u64]) -> bool {
        let numbers: Vec<i128> = dimensions.iter().zip(values).map(|(d, &bits)| number(d, bits)).collect();
        let mut own = self.domains.iter().zip(dimensions).zip(values);
        self.octagon.contains(&numbers)
            && own.all(|((domain, dimension), &value)| domain.contains(dimension.width, value))
    }
}

/// The number that some bits are for a dimension.
fn number(dimension: &Dimension, bits: u64) -> i128 {
    match dimension.signed {
        true => i128::from(dimension.width.signed(bits)),
        false => i128::from(bits),
    }
}

/// The octagon with the limits of the types, without further conclusions.
fn within_limits(octagon: &Octagon, dimensions: &[Dimension]) -> Octagon {
    let mut octagon = octagon.clone();
    for (n, dimension) in dimensions.iter().enumerate() {
        note_range(&mut octagon, n, dimension.limits());
    }
    octagon
}

/// Lets an octagon know the bounds of domains.
pub fn note_domains(octagon: &mut Octagon, dimensions: &[Dimension], domains: &[Domain]) {
    for (n, (dimension, &domain)) in dimensions.iter().zip(domains).enumerate() {
        note_range(octagon, n, bounds(domain, dimension.width, dimension.signed));
    }
}

fn note_range(octagon: &mut Octagon, dim: usize, (least, most): (i128, i128)) {
    octagon.note_most(Literal::new(dim, false), most);
    octagon.note_most(Literal::new(dim, true), -least);
}

/// The values of a domain within bounds that are numbers of its width, in whichever reading.
pub fn narrowed(domain: Domain, w: Width, (least, most): (i128, i128)) -> Option<Domain> {
    if most - least >= 1 << w.bits() {
        return Some(domain);
    }
    let bits = |number: i128| w.wrap(number as u64);
    domain.narrow(w, Interval::new(w, bits(least), bits(most)))
}

fn with_bits(w: Width, bits: Bits) -> Domain {
    Domain::new(w, Interval::full(w), bits).unwrap_or(Domain::full(w))
}
