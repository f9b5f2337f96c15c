//! Brute force for the tests: sets as bit masks, all domains of a small width, random domains of a large one.
#![allow(dead_code)]

pub mod relation;

use quipu_domain::{Bits, Domain, Interval};
use quipu_num::Width;

/// A width of `bits` bits.
pub fn width(bits: u32) -> Width {
    Width::new(bits).expect("a test width should be valid")
}

/// The values of an arc by walking from its lower end to its upper end.
pub fn arc_set(w: Width, arc: Interval) -> u64 {
    let mut value = arc.lo();
    let mut set = 1 << value;
    while value != arc.hi() {
        value = (value + 1) & w.mask();
        set |= 1 << value;
    }
    set
}

/// The values of a domain, one by one.
pub fn set(w: Width, domain: Domain) -> u64 {
    let arc = arc_set(w, domain.interval());
    let bits = domain.bits();
    (0..=w.mask())
        .filter(|&v| arc >> v & 1 == 1 && v & bits.zeros == 0 && v & bits.ones == bits.ones)
        .fold(0, |s, v| s | 1 << v)
}

/// The values in a set.
pub fn members(set: u64) -> impl Iterator<Item = u64> {
    (0..64).filter(move |v| set >> v & 1 == 1)
}

/// All arcs of a width, the full one once.
pub fn all_arcs(w: Width) -> Vec<Interval> {
    let mut arcs = vec![Interval::full(w)];
    for lo in 0..=w.mask() {
        for hi in 0..=w.mask() {
            if (hi + 1) & w.mask() != lo {
                arcs.push(Interval::new(w, lo, hi));
            }
        }
    }
    arcs
}

/// All pairs of known-zero and known-one masks that do not contradict each other.
pub fn all_bits(w: Width) -> Vec<Bits> {
    let masks = || 0..=w.mask();
    masks()
        .flat_map(|zeros| masks().filter(move |ones| zeros & ones == 0).map(move |ones| Bits { zeros, ones }))
        .collect()
}

/// All domains that are just an arc.
pub fn arc_domains(w: Width) -> Vec<Domain> {
    all_arcs(w).into_iter().map(|arc| Domain::from_interval(w, arc)).collect()
}

/// All domains, each once.
pub fn all_domains(w: Width) -> Vec<Domain> {
    let mut domains: Vec<Domain> = Vec::new();
    for arc in all_arcs(w) {
        for bits in all_bits(w) {
            if let Some(domain) = Domain::new(w, arc, bits).filter(|domain| !domains.contains(domain)) {
                domains.push(domain);
            }
        }
    }
    domains
}

/// The best domain that holds `wanted`, a set within `given`, and is a part of it: its size.
pub fn best_size(w: Width, given: Domain, wanted: u64) -> u32 {
    let ends = || members(wanted);
    let common =
        Bits { zeros: w.mask() & !ends().fold(0, |a, v| a | v), ones: ends().fold(w.mask(), |a, v| a & v) };
    let candidates =
        ends().flat_map(|lo| ends().map(move |hi| (lo, hi))).map(|(lo, hi)| Interval::new(w, lo, hi));
    candidates
        .filter(|&arc| wanted & !arc_set(w, arc) == 0)
        .map(|arc| Domain::new(w, arc, common).expect("the wanted values are there"))
        .map(|domain| set(w, domain))
        .filter(|found| found & !set(w, given) == 0)
        .map(u64::count_ones)
        .min()
        .unwrap_or(0)
}

/// A small seeded generator (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// A value that is often near a pole, a power of two, or small.
    pub fn value(&mut self, w: Width) -> u64 {
        let near = self.below(7).wrapping_sub(3);
        let point = match self.below(6) {
            0 => 0,
            1 => w.min_signed(),
            2 => 1u64 << self.below(u64::from(w.bits())),
            3 => self.below(200).wrapping_sub(100),
            4 => self.next() >> self.below(64),
            _ => self.next(),
        };
        w.wrap(point.wrapping_add(near))
    }

    /// A length that is often 0, small, or nearly everything.
    fn span(&mut self, w: Width) -> u64 {
        match self.below(5) {
            0 => 0,
            1 => self.below(10).min(w.mask()),
            2 => w.mask() - self.below(10).min(w.mask()),
            _ => w.wrap(self.next()) >> self.below(u64::from(w.bits())),
        }
    }

    /// A domain that holds `value`.
    pub fn around(&mut self, w: Width, value: u64) -> Domain {
        let before = self.span(w);
        let room = w.mask() - before;
        let after = self.span(w).min(room);
        let arc = Interval::from_span(w, value.wrapping_sub(before), before + after);
        let mask = match self.below(5) {
            0 => w.wrap(self.next() & self.next() & self.next()),
            1 => w.wrap((1 << self.below(6)) - 1),
            2 => w.wrap(1 << self.below(u64::from(w.bits()))),
            _ => 0,
        };
        Domain::new(w, arc, Bits::masked(mask, value)).expect("the value is inside")
    }

    /// Any domain.
    pub fn domain(&mut self, w: Width) -> Domain {
        let value = self.value(w);
        self.around(w, value)
    }

    /// A value of a domain.
    pub fn member(&mut self, w: Width, domain: Domain) -> u64 {
        match self.below(4) {
            0 => domain.lo(),
            1 => domain.hi(),
            _ => domain.next(w, self.value(w)),
        }
    }
}
