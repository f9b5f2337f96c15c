//! Domains and atoms: all of a small width, random ones of a large one.

use quipu_domain::{Bits, Domain, Interval};
use quipu_model::Term;
use quipu_modelkit::Random;
use quipu_num::Width;

use crate::atom::{Atom, Fact};

/// All domains that are just an arc.
pub fn arc_domains(w: Width) -> Vec<Domain> {
    let mut domains = vec![Domain::full(w)];
    for lo in 0..=w.mask() {
        for hi in (0..=w.mask()).filter(|hi| w.wrap(hi.wrapping_add(1)) != lo) {
            domains.push(Domain::from_interval(w, Interval::new(w, lo, hi)));
        }
    }
    domains
}

/// All domains, each once.
pub fn all_domains(w: Width) -> Vec<Domain> {
    let mut domains: Vec<Domain> = Vec::new();
    for arc in arc_domains(w) {
        for mask in 0..=w.mask() {
            for value in (0..=w.mask()).filter(|value| value & !mask == 0) {
                let domain = Domain::new(w, arc.interval(), Bits::masked(mask, value));
                domains.extend(domain.filter(|domain| !domains.contains(domain)));
            }
        }
    }
    domains
}

/// A domain that holds `value`.
pub fn around(random: &mut Random, w: Width, value: u64) -> Domain {
    let before = span(random, w);
    let after = span(random, w).min(w.mask() - before);
    let arc = Interval::from_span(w, value.wrapping_sub(before), before + after);
    let mask = match random.below(5) {
        0 => random.number() & random.number() & random.number(),
        1 => (1 << random.below(6)) - 1,
        2 => 1 << random.below(w.bits() as usize),
        _ => 0,
    };
    Domain::new(w, arc, Bits::masked(w.wrap(mask), value)).expect("the value is inside")
}

/// A length that is often 0, small, or nearly everything.
fn span(random: &mut Random, w: Width) -> u64 {
    match random.below(5) {
        0 => 0,
        1 => (random.below(10) as u64).min(w.mask()),
        2 => w.mask() - (random.below(10) as u64).min(w.mask()),
        _ => w.wrap(random.number()) >> random.below(w.bits() as usize),
    }
}

/// A part of a domain, often itself.
pub fn part(random: &mut Random, w: Width, domain: Domain) -> Domain {
    let value = member(random, w, domain);
    match random.below(3) {
        0 => domain,
        _ => domain.meet(w, around(random, w, value)).expect("the value is in both"),
    }
}

/// A value of a domain.
pub fn member(random: &mut Random, w: Width, domain: Domain) -> u64 {
    match random.below(4) {
        0 => domain.lo(),
        1 => domain.hi(),
        _ => domain.next(w, random.value(w)),
    }
}

/// An atom that is open under a domain of more than one value.
pub fn open_atom(random: &mut Random, term: Term, w: Width, domain: Domain) -> Atom {
    let free = domain.bits().free(w);
    for _ in 0..8 {
        let atom = if random.chance(40) {
            Atom::bit(term, random.below(w.bits() as usize) as u32, random.chance(50))
        } else {
            let lo = member(random, w, domain);
            let hi = if random.chance(50) { member(random, w, domain) } else { random.value(w) };
            let arc = Interval::new(w, lo, hi);
            if arc.is_full(w) {
                continue;
            }
            Atom::within(term, arc)
        };
        if atom.fact.status(w, domain).is_none() {
            return atom;
        }
    }
    Atom::bit(term, free.trailing_zeros(), random.chance(50))
}

/// Whether a fact is true of a value, straight from what it says.
pub fn is_true_of(fact: Fact, w: Width, value: u64) -> bool {
    match fact {
        Fact::Within(arc) => w.wrap(value.wrapping_sub(arc.lo())) <= w.wrap(arc.hi().wrapping_sub(arc.lo())),
        Fact::Bit { position, value: bit } => (value >> position & 1 == 1) == bit,
    }
}

/// The set of the values of a domain of at most 6 bits.
pub fn set(w: Width, domain: Domain) -> u64 {
    (0..=w.mask()).filter(|&value| domain.contains(w, value)).fold(0, |set, value| set | 1 << value)
}
