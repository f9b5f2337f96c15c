//! What is known at the head of a loop: an octagon, and a domain and a congruence for each of its dimensions.

use quipu_domain::{Bits, Domain, Interval};
use quipu_model::Term;
use quipu_num::Width;

use crate::congruence::Congruence;
use crate::octagon::{Literal, Octagon};
use crate::reader::bounds;
use crate::turn::Dimension;

/// A set of vectors of machine integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub octagon: Octagon,
    pub domains: Vec<Domain>,
    /// Of the numbers as they are read.
    pub congruences: Vec<Congruence>,
}

impl State {
    /// All vectors.
    pub fn full(dimensions: &[Dimension]) -> State {
        let domains = dimensions.iter().map(|dimension| Domain::full(dimension.width)).collect();
        let octagon = within_limits(&Octagon::full(dimensions.len()), dimensions);
        let congruences = vec![Congruence::ALL; dimensions.len()];
        State { octagon: octagon.closed().expect("machine integers exist"), domains, congruences }
    }

    /// All vectors in which some numbers lie in domains; none if there are none.
    pub fn within(dimensions: &[Dimension], known: &[(Term, Domain)]) -> Option<State> {
        let mut state = State::full(dimensions);
        for (dimension, own) in dimensions.iter().zip(&mut state.domains) {
            for (_, domain) in known.iter().filter(|(term, _)| *term == dimension.term) {
                *own = own.meet(dimension.width, *domain)?;
            }
        }
        state.reduced(dimensions)
    }

    /// The same vectors, with everything in the octagon that the domains tell and the other way round; none if there
    /// are none.
    pub fn reduced(&self, dimensions: &[Dimension]) -> Option<State> {
        let mut octagon = within_limits(&self.octagon, dimensions);
        note_domains(&mut octagon, dimensions, &self.domains);
        let mut octagon = octagon.closed()?;
        let before = octagon.clone();
        for (n, congruence) in self.congruences.iter().enumerate() {
            let range = congruence.tightened(octagon.range(n))?;
            note_range(&mut octagon, n, range);
        }
        if octagon != before {
            octagon = octagon.closed()?;
        }
        let mut domains = Vec::with_capacity(self.domains.len());
        for (n, (dimension, &domain)) in dimensions.iter().zip(&self.domains).enumerate() {
            domains.push(narrowed(domain, dimension.width, octagon.range(n))?);
        }
        Some(State { octagon, domains, congruences: self.congruences.clone() })
    }

    pub fn join(&self, other: &State, dimensions: &[Dimension]) -> State {
        let pairs = self.domains.iter().zip(&other.domains).zip(dimensions);
        let domains = pairs.map(|((a, &b), dimension)| a.join(dimension.width, b)).collect();
        State {
            octagon: self.octagon.join(&other.octagon),
            domains,
            congruences: self.common_congruences(other),
        }
    }

    /// Bounds that `other` exceeds are given up, or moved to a threshold.
    pub fn widened(&self, other: &State, dimensions: &[Dimension], thresholds: &[i128]) -> State {
        let pairs = self.domains.iter().zip(&other.domains).zip(dimensions);
        let domains = pairs.map(|((&old, &new), dimension)| {
            let w = dimension.width;
            match new.is_subset(w, old) {
                true => old,
                false => with_bits(w, widened_bits(w, old.bits(), new.bits())),
            }
        });
        // Congruences can be joined only so often until there is nothing left of them.
        let congruences = self.common_congruences(other);
        State {
            octagon: self.octagon.widened(&other.octagon, thresholds),
            domains: domains.collect(),
            congruences,
        }
    }

    fn common_congruences(&self, other: &State) -> Vec<Congruence> {
        self.congruences.iter().zip(&other.congruences).map(|(a, &b)| a.join(b)).collect()
    }

    /// The vectors of both.
    pub fn meet(&self, other: &State, dimensions: &[Dimension]) -> Option<State> {
        let mut domains = Vec::with_capacity(self.domains.len());
        for ((a, b), dimension) in self.domains.iter().zip(&other.domains).zip(dimensions) {
            domains.push(a.meet(dimension.width, *b)?);
        }
        let pairs = self.congruences.iter().zip(&other.congruences);
        let congruences = pairs.map(|(&a, &b)| if b.is_within(a) { b } else { a }).collect();
        State { octagon: self.octagon.meet(&other.octagon), domains, congruences }.reduced(dimensions)
    }

    /// Whether this state, which must be closed, is a part of the other, as far as can be seen.
    pub fn is_within(&self, other: &State, dimensions: &[Dimension]) -> bool {
        let mut pairs = self.domains.iter().zip(&other.domains).zip(dimensions);
        let congruent = self.congruences.iter().zip(&other.congruences).all(|(a, &b)| a.is_within(b));
        self.octagon.is_within(&other.octagon)
            && congruent
            && pairs.all(|((&a, &b), dimension)| a.is_subset(dimension.width, b))
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

/// The bits that both know. Where a number grows beyond the highest bit that was free, it would free one bit after the
/// other, for as many rounds as there are bits; so it may have as many bits as the next power of two at once.
fn widened_bits(w: Width, old: Bits, new: Bits) -> Bits {
    let joined = old.join(new);
    let size = |bits: Bits| u64::BITS - bits.free(w).leading_zeros();
    if size(joined) <= size(old) {
        return joined;
    }
    let grown = size(joined).next_power_of_two();
    let below = |n: u32| 1_u64.checked_shl(n).map_or(u64::MAX, |above| above - 1);
    let freed = below(grown) & !below(size(joined));
    Bits { zeros: joined.zeros & !freed, ones: joined.ones & !freed }
}
