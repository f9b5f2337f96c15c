//! Labelling floats, whose values are ranks: first whether it is a NaN, then simple values or halves.
//!
//! Every decision cuts off an end of the arc, so that its opposite can be said as well. Half of the ranks of an interval
//! is a cut by sign, then by exponent, and at the middle value where all exponents are the same.

use quipu_domain::{Domain, Interval};
use quipu_model::{Reading, VarInfo};
use quipu_num::{FloatWidth, Width, nan_rank, number_ranks, rank, simplest_between};

use crate::atom::{Atom, Fact};
use crate::strategy::{Open, towards};

/// What is chosen of a float.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// What a person would write: 0, 1, few digits.
    Simple,
    NearestToZero,
    /// The ends of the domain.
    End,
    /// Any number, as told by a random one.
    Any(u64),
    /// The half of the numbers in which the simplest lies.
    Half,
}

/// What to assume about a float; none if it is no float of a known format.
pub(crate) fn branch(v: &Open, choice: Choice) -> Option<Atom> {
    let w = format(v.width)?;
    if let Some(arc) = numbers_apart(w, v.domain) {
        return Some(Atom::within(v.term, arc));
    }
    let (lo, hi) = (v.domain.lo(), v.domain.hi());
    let (least, greatest) = number_ranks(w);
    let simplest = simplest_value(w, v.domain);
    if lo > hi || lo < least || hi > greatest {
        return Some(towards(v, simplest));
    }
    Some(match choice {
        Choice::Simple => towards(v, simplest),
        Choice::NearestToZero => towards(v, v.domain.next(v.width, rank(w, 0).clamp(lo, hi))),
        Choice::End => Atom::within(v.term, Interval::singleton(lo)),
        Choice::Any(random) => towards(v, v.domain.next(v.width, lo + random % (hi - lo + 1))),
        Choice::Half => half(v, rank(w, 0), simplest),
    })
}

/// The format of a variable that is a float.
pub fn format_of(info: &VarInfo) -> Option<FloatWidth> {
    if info.reading == Reading::Float { format(info.width) } else { None }
}

fn format(width: Width) -> Option<FloatWidth> {
    match width {
        Width::W32 => Some(FloatWidth::F32),
        Width::W64 => Some(FloatWidth::F64),
        _ => None,
    }
}

/// The value of a domain that a person would choose.
pub fn simplest_value(w: FloatWidth, domain: Domain) -> u64 {
    let width = w.width();
    let mut numbers = domain;
    while let Some(arc) = numbers_apart(w, numbers) {
        numbers = numbers.narrow(width, arc).expect("the arc should hold a value of the domain");
    }
    let (lo, hi) = (numbers.lo(), numbers.hi());
    let (least, greatest) = number_ranks(w);
    if least <= lo && lo <= hi && hi <= greatest {
        numbers.next(width, simplest_between(w, lo, hi))
    } else {
        // What is left are NaNs, or bits that no format has in view.
        let usual = nan_rank(w);
        if numbers.contains(width, usual) { usual } else { lo }
    }
}

/// Where a domain holds both numbers and NaNs: an arc with some or all of the numbers, at an end of the domain.
pub(crate) fn numbers_apart(w: FloatWidth, domain: Domain) -> Option<Interval> {
    let width = w.width();
    let (least, greatest) = number_ranks(w);
    let numbers = Interval::new(width, least, greatest);
    let arc = domain.interval();
    let apart = if arc.is_full(width) || domain.covers_bits(width) {
        numbers
    } else if numbers.contains(width, arc.lo()) {
        Interval::new(width, arc.lo(), greatest)
    } else {
        // The NaNs before the numbers go first, whether or not others follow.
        Interval::new(width, least, arc.hi())
    };
    let is_open = Fact::Within(apart).status(width, domain).is_none();
    is_open.then_some(apart)
}

/// The half with the simplest value; of both signs, the numbers from 0 upwards.
fn half(v: &Open, zero: u64, simplest: u64) -> Atom {
    let (lo, hi) = (v.domain.lo(), v.domain.hi());
    let first_above = if lo < zero && zero <= hi { zero } else { lo + (hi - lo) / 2 + 1 };
    let above = Interval::new(v.width, first_above, hi);
    let below = Interval::new(v.width, lo, first_above - 1);
    let chosen = if above.contains(v.width, simplest) { above } else { below };
    Atom::within(v.term, chosen)
}

#[cfg(test)]
mod tests {
    use quipu_base::Id;
    use quipu_model::Term;
    use quipu_num::{is_nan_rank, number_of_rank, rank_of};

    use super::*;

    const W: FloatWidth = FloatWidth::F64;
    const WIDTH: Width = Width::W64;

    fn open(domain: Domain) -> Open {
        Open {
            term: Term::new(0),
            width: WIDTH,
            reading: Reading::Float,
            domain,
            degree: 0,
            activity: 0.0,
            order: 0,
            input: true,
        }
    }

    fn arc(lo: u64, hi: u64) -> Domain {
        Domain::from_interval(WIDTH, Interval::new(WIDTH, lo, hi))
    }

    fn between(lo: f64, hi: f64) -> Domain {
        arc(rank_of(W, lo), rank_of(W, hi))
    }

    /// The value that always following the decisions leads to.
    fn followed(mut domain: Domain, choice: Choice) -> u64 {
        for _ in 0..200 {
            if let Some(value) = domain.is_singleton() {
                return value;
            }
            let atom = branch(&open(domain), choice).expect("it is a float");
            domain = atom.fact.narrow(WIDTH, domain).expect("a decision should leave a value");
        }
        panic!("decisions should end")
    }

    #[test]
    fn numbers_come_before_nans() {
        let everything = Domain::full(WIDTH);
        for choice in [Choice::Simple, Choice::NearestToZero, Choice::End, Choice::Any(7), Choice::Half] {
            assert!(!is_nan_rank(W, followed(everything, choice)), "{choice:?}");
        }
        assert_eq!(followed(everything, Choice::Simple), rank_of(W, 0.0));
        // Not less than 5: a NaN, or at least 5.
        let at_least = arc(rank_of(W, 5.0), number_ranks(W).0 - 1);
        assert_eq!(followed(at_least, Choice::Simple), rank_of(W, 5.0));
        let only_nans = arc(number_ranks(W).1 + 1, number_ranks(W).0 - 1);
        assert_eq!(followed(only_nans, Choice::Half), nan_rank(W));
    }

    #[test]
    fn choices_are_what_their_names_say() {
        assert_eq!(followed(between(2.41, 2.59), Choice::Simple), rank_of(W, 2.5));
        assert_eq!(followed(between(-7.5, -2.25), Choice::NearestToZero), rank_of(W, -2.25));
        assert_eq!(followed(between(-7.5, 2.25), Choice::NearestToZero), rank_of(W, 0.0));
        assert_eq!(followed(between(-7.5, 2.25), Choice::End), rank_of(W, -7.5));
        let first = branch(&open(between(-7.5, 2.25)), Choice::Half).expect("it is a float");
        assert_eq!(first.fact, Fact::Within(between(0.0, 2.25).interval()));
        let by_exponent = branch(&open(between(1e-30, 1e30)), Choice::Half).expect("it is a float");
        let Fact::Within(kept) = by_exponent.fact else { panic!("halves are arcs") };
        let end = if kept.lo() == rank_of(W, 1e-30) { kept.hi() } else { kept.lo() };
        let cut = number_of_rank(W, end);
        assert!((0.5..2.0).contains(&cut), "{cut}");
    }

    /// The search counts on it: what a decision excludes can be said of the domain, and what it keeps is less than all.
    #[test]
    fn decisions_and_their_opposites_cut_something_off() {
        let (least, greatest) = number_ranks(W);
        let ends =
            [0, least - 1, least, rank_of(W, -2.0), rank_of(W, 0.0), rank_of(W, 3.0), greatest, greatest + 9];
        let choices = [Choice::Simple, Choice::NearestToZero, Choice::End, Choice::Any(99), Choice::Half];
        for (lo, hi) in ends.into_iter().flat_map(|lo| ends.map(|hi| (lo, hi))).filter(|(lo, hi)| lo != hi) {
            for choice in choices {
                let domain = arc(lo, hi);
                let atom = branch(&open(domain), choice).expect("it is a float");
                let opposite = atom.negated(WIDTH);
                let kept = atom.fact.narrow(WIDTH, domain).expect("a decision should leave a value");
                let rest = opposite.fact.narrow(WIDTH, domain).expect("so should its opposite");
                assert!(kept != domain && rest != domain, "{lo:x} {hi:x} {choice:?}");
            }
        }
    }
}
