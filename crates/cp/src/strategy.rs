//! Which variable to label next, and how: the classic strategies.

use std::cmp::Ordering;

use quipu_domain::{Domain, Interval};
use quipu_model::{Reading, Term};
use quipu_num::Width;

use crate::atom::Atom;
use crate::float_label::{self, Choice};

/// How a search chooses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strategy {
    /// The variable that took part in recent conflicts; small values by halving the number of bits. Floats in turns:
    /// simple values, then halves of the widest domain.
    #[default]
    Learned,
    /// The smallest domain; its values in order.
    FirstFail,
    /// The variable in most constraints; its values in order.
    MostConstrained,
    /// The smallest domain, cut in halves.
    Split,
    /// In order of declaration; values nearest to zero.
    SmallFirst,
    /// In order of declaration; the ends of the domain.
    BoundaryFirst,
    /// Random variable and value, by seed.
    Random(u64),
}

/// What the present turn of a learning search, from restart to restart, does with floats: simple values are found by
/// trying them, and only boxes that become small on all sides prove that there are none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Turn {
    #[default]
    SimpleFloats,
    HalvedFloats,
}

impl Turn {
    pub fn next(self) -> Turn {
        match self {
            Turn::SimpleFloats => Turn::HalvedFloats,
            Turn::HalvedFloats => Turn::SimpleFloats,
        }
    }
}

/// A variable that is not fixed, as a strategy sees it.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub term: Term,
    pub width: Width,
    pub reading: Reading,
    pub domain: Domain,
    pub degree: usize,
    pub activity: f64,
    /// Its place among the declarations.
    pub order: u32,
    /// Whether it comes before those that are not.
    pub input: bool,
}

impl Strategy {
    /// Whether a variable comes before another one. A random choice does not depend on this.
    pub fn prefers(self, turn: Turn, v: &Open, other: &Open) -> bool {
        let span = |v: &Open| v.domain.span(v.width);
        let is_float = |v: &Open| v.reading == Reading::Float;
        let by_strategy = || match self {
            Strategy::Learned if turn == Turn::HalvedFloats && (is_float(v) || is_float(other)) => {
                let size = |v: &Open| is_float(v).then(|| span(v).checked_ilog2());
                size(v).cmp(&size(other))
            }
            Strategy::Learned => {
                v.activity.total_cmp(&other.activity).then_with(|| span(other).cmp(&span(v)))
            }
            Strategy::FirstFail | Strategy::Split => span(other).cmp(&span(v)),
            Strategy::MostConstrained => v.degree.cmp(&other.degree).then_with(|| span(other).cmp(&span(v))),
            // In order of declaration.
            Strategy::SmallFirst | Strategy::BoundaryFirst | Strategy::Random(_) => Ordering::Equal,
        };
        let better = v.input.cmp(&other.input).then_with(by_strategy);
        better.then_with(|| other.order.cmp(&v.order)) == Ordering::Greater
    }

    /// What to assume about a variable.
    pub fn branch(self, v: &Open, turn: Turn, random: &mut impl FnMut() -> u64) -> Atom {
        if v.reading == Reading::Float
            && let Some(atom) = float_label::branch(v, self.choice_of_float(turn, random))
        {
            return atom;
        }
        let (w, domain) = (v.width, v.domain);
        match self {
            Strategy::FirstFail | Strategy::MostConstrained => {
                Atom::within(v.term, Interval::singleton(domain.lo()))
            }
            Strategy::SmallFirst => towards(v, nearest_to_zero(v)),
            Strategy::BoundaryFirst => {
                let end = if domain.lo() == 0 { domain.hi() } else { domain.lo() };
                Atom::within(v.term, Interval::singleton(end))
            }
            Strategy::Split => lower_part(v, domain.interval().span(w) / 2),
            Strategy::Learned => halve_the_bits(v),
            Strategy::Random(_) => {
                let span = domain.interval().span(w);
                let offset = if span == u64::MAX { random() } else { random() % (span + 1) };
                towards(v, domain.next(w, w.wrap(domain.lo().wrapping_add(offset))))
            }
        }
    }

    fn choice_of_float(self, turn: Turn, random: &mut impl FnMut() -> u64) -> Choice {
        match self {
            Strategy::Learned if turn == Turn::HalvedFloats => Choice::Half,
            Strategy::Learned | Strategy::FirstFail | Strategy::MostConstrained => Choice::Simple,
            Strategy::Split => Choice::Half,
            Strategy::SmallFirst => Choice::NearestToZero,
            Strategy::BoundaryFirst => Choice::End,
            Strategy::Random(_) => Choice::Any(random()),
        }
    }
}

/// The first values of the arc, up to a distance from its lower end.
fn lower_part(v: &Open, distance: u64) -> Atom {
    Atom::within(v.term, Interval::from_span(v.width, v.domain.lo(), distance))
}

/// The part of the domain next to the value nearest to zero, with half as many bits.
fn halve_the_bits(v: &Open) -> Atom {
    let (w, arc) = (v.width, v.domain.interval());
    let span = arc.span(w);
    let zero = nearest_to_zero(v);
    let keep = match 64 - span.leading_zeros() {
        0..=2 => 0,
        bits => (1u64 << (bits / 2)) - 1,
    };
    if zero == arc.lo() {
        return lower_part(v, keep);
    }
    if zero == arc.hi() {
        return Atom::within(v.term, Interval::from_span(w, arc.hi().wrapping_sub(keep), keep));
    }
    // Zero lies inside: not negative first.
    Atom::within(v.term, Interval::from_span(w, zero, arc.span(w) - arc.offset(w, zero)))
}

/// Cuts the domain at a value that is to be tried: an arc can always say that an end is gone.
pub(crate) fn towards(v: &Open, value: u64) -> Atom {
    let (w, arc) = (v.width, v.domain.interval());
    if value == arc.lo() || value == arc.hi() {
        return Atom::within(v.term, Interval::singleton(value));
    }
    let offset = arc.offset(w, value);
    let rest = arc.span(w) - offset;
    if offset <= rest {
        Atom::within(v.term, Interval::from_span(w, arc.lo(), offset))
    } else {
        Atom::within(v.term, Interval::from_span(w, value, rest))
    }
}

/// The value of the domain that a person would call smallest.
fn nearest_to_zero(v: &Open) -> u64 {
    let (w, domain) = (v.width, v.domain);
    if domain.contains(w, 0) {
        return 0;
    }
    let (up, down) = (domain.next(w, 0), domain.bits().previous(w, w.mask()));
    let down = if domain.interval().contains(w, down) { down } else { domain.hi() };
    if v.reading != Reading::Signed {
        return domain.min_unsigned(w);
    }
    let size = |value: u64| w.signed(value).unsigned_abs();
    if size(up) <= size(down) { up } else { down }
}
