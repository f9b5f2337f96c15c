//! Atoms: facts about one term that can be true, false or open under a domain.
//!
//! An atom says that a term lies on an arc, or that one of its bits has a value. Both kinds are closed under
//! negation, so decisions, explanations and learned clauses speak one language. Atoms are made when they are
//! needed; none exists in advance.

use quipu_domain::{Bits, Domain, Interval};
use quipu_model::Term;
use quipu_num::Width;

/// A fact about a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    pub term: Term,
    pub fact: Fact,
}

/// What an atom says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The value lies on the arc, which is not the full circle.
    Within(Interval),
    Bit {
        position: u8,
        value: bool,
    },
}

impl Atom {
    pub fn within(term: Term, arc: Interval) -> Atom {
        Atom { term, fact: Fact::Within(arc) }
    }

    pub fn truth(term: Term, value: bool) -> Atom {
        Atom::within(term, Interval::singleton(u64::from(value)))
    }

    pub fn bit(term: Term, position: u32, value: bool) -> Atom {
        Atom { term, fact: Fact::Bit { position: position as u8, value } }
    }

    pub fn negated(self, w: Width) -> Atom {
        Atom { fact: self.fact.negated(w), ..self }
    }
}

impl Fact {
    pub fn negated(self, w: Width) -> Fact {
        match self {
            Fact::Within(arc) => Fact::Within(arc.complement(w).expect("an atom should exclude some value")),
            Fact::Bit { position, value } => Fact::Bit { position, value: !value },
        }
    }

    /// Whether the fact is true of all, or of no values of a domain.
    #[inline]
    pub fn status(self, w: Width, domain: Domain) -> Option<bool> {
        match self {
            Fact::Within(arc) => {
                if domain.interval().is_subset(w, arc) {
                    return Some(true);
                }
                let Some(gap) = arc.complement(w) else { return Some(true) };
                if domain.interval().is_subset(w, gap) {
                    return Some(false);
                }
                if domain.bits().known() == 0 {
                    return None;
                }
                // Bits can empty an arc's common part with the domain.
                match (domain.narrow(w, arc), domain.narrow(w, gap)) {
                    (_, None) => Some(true),
                    (None, _) => Some(false),
                    _ => None,
                }
            }
            Fact::Bit { position, value } => {
                let mask = 1u64 << position;
                if domain.bits().ones & mask != 0 {
                    Some(value)
                } else if domain.bits().zeros & mask != 0 {
                    Some(!value)
                } else {
                    None
                }
            }
        }
    }

    #[inline]
    pub fn is_true(self, w: Width, domain: Domain) -> bool {
        self.status(w, domain) == Some(true)
    }

    /// What is left of a domain if the fact is true.
    #[inline]
    pub fn narrow(self, w: Width, domain: Domain) -> Option<Domain> {
        match self {
            Fact::Within(arc) => domain.narrow(w, arc),
            Fact::Bit { position, value } => domain.narrow_bits(w, one_bit(position, value)),
        }
    }
}

fn one_bit(position: u8, value: bool) -> Bits {
    let mask = 1u64 << position;
    if value { Bits { zeros: 0, ones: mask } } else { Bits { zeros: mask, ones: 0 } }
}

/// Atoms that together say that a term lies in a domain: bounds in the order in which the arc is one run, then
/// the bits that the arc does not imply.
pub fn describe(w: Width, term: Term, domain: Domain, atoms: &mut Vec<Atom>) {
    let arc = domain.interval();
    if domain.is_full(w) {
        return;
    }
    let mut implied = Domain::full(w);
    if !(domain.covers_bits(w) && domain.is_singleton().is_none()) {
        describe_arc(w, term, arc, atoms);
        implied = Domain::from_interval(w, arc);
    }
    let (known, already) = (domain.bits(), implied.bits());
    let rest = known.known() & !already.known() & w.mask();
    for position in (0..w.bits()).filter(|&position| rest >> position & 1 == 1) {
        atoms.push(Atom::bit(term, position, known.ones >> position & 1 == 1));
    }
}

fn describe_arc(w: Width, term: Term, arc: Interval, atoms: &mut Vec<Atom>) {
    let pole = if !arc.crosses(w, 0) {
        0
    } else if !arc.crosses(w, w.min_signed()) {
        w.min_signed()
    } else {
        atoms.push(Atom::within(term, arc));
        return;
    };
    let last = w.wrap(pole.wrapping_sub(1));
    if arc.lo() != pole {
        atoms.push(Atom::within(term, Interval::new(w, arc.lo(), last)));
    }
    if arc.hi() != last {
        atoms.push(Atom::within(term, Interval::new(w, pole, arc.hi())));
    }
}
