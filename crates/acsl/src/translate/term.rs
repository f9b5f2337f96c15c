//! Typed terms and the C text that computes them.

use std::collections::BTreeSet;

use crate::types::{CType, range};

/// A term with its type. The text is an expression of C that can stand anywhere.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Term {
    pub(crate) text: String,
    pub(crate) ty: Ty,
    pub(crate) facts: Facts,
}

/// The type of a term.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Ty {
    /// An integer of mathematics within these bounds. The text computes it as `long long`; as `unsigned long long` if
    /// that does not hold the bounds.
    Integer { lo: i128, hi: i128 },
    /// A number as a `double`.
    Real,
    /// A predicate; the text is 0 or 1.
    Truth,
    /// A value of C, of its own type.
    C(CType),
}

/// What else is known about a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    /// Whether it has the same value in the state before the call.
    pub(crate) steady: bool,
    /// The variables of quantifiers in it, by their names in C.
    pub(crate) bound: BTreeSet<String>,
    /// Whether it may have undefined behaviour instead of being false.
    pub(crate) partial: bool,
}

impl Facts {
    pub(crate) fn constant() -> Facts {
        Facts { steady: true, bound: BTreeSet::new(), partial: false }
    }

    /// Those of a term that depends on the memory.
    pub(crate) fn unsteady() -> Facts {
        Facts { steady: false, ..Facts::constant() }
    }

    /// Those of a term made of others.
    pub(crate) fn of<'f>(parts: impl IntoIterator<Item = &'f Facts>) -> Facts {
        parts.into_iter().fold(Facts::constant(), |all, part| Facts {
            steady: all.steady && part.steady,
            bound: all.bound.union(&part.bound).cloned().collect(),
            partial: all.partial || part.partial,
        })
    }

    pub(crate) fn both(a: &Term, b: &Term) -> Facts {
        Facts::of([&a.facts, &b.facts])
    }
}

/// The bounds of `long long`.
pub(crate) const SIGNED: (i128, i128) = (i64::MIN as i128, i64::MAX as i128);
/// The largest `unsigned long long`.
pub(crate) const LARGEST: i128 = u64::MAX as i128;

pub(crate) fn fits_signed(lo: i128, hi: i128) -> bool {
    SIGNED.0 <= lo && hi <= SIGNED.1
}

/// The type of C in which an integer within these bounds is computed.
pub(crate) fn carrier(lo: i128, hi: i128) -> &'static str {
    if fits_signed(lo, hi) { "long long" } else { "unsigned long long" }
}

impl Term {
    pub(crate) fn truth(text: String, facts: Facts) -> Term {
        Term { text, ty: Ty::Truth, facts }
    }

    pub(crate) fn integer(text: String, lo: i128, hi: i128, facts: Facts) -> Term {
        Term { text, ty: Ty::Integer { lo, hi }, facts }
    }

    /// A constant; none if 64 bits do not hold it.
    pub(crate) fn constant(value: i128) -> Option<Term> {
        let text = match value {
            _ if value == SIGNED.0 => format!("(-{}LL - 1)", SIGNED.1),
            _ if fits_signed(value, value) && value < 0 => format!("(-{}LL)", -value),
            _ if fits_signed(value, value) => format!("{value}LL"),
            _ if value > 0 && value <= LARGEST => format!("{value}ULL"),
            _ => return None,
        };
        Some(Term::integer(text, value, value, Facts::constant()))
    }

    /// The term as an integer of mathematics.
    pub(crate) fn to_integer(&self) -> Option<Term> {
        let (lo, hi) = match &self.ty {
            Ty::Integer { .. } => return Some(self.clone()),
            Ty::Truth => (0, 1),
            Ty::C(CType::Int { bits, signed }) => range(*bits, *signed),
            _ => return None,
        };
        let text = format!("(({})({}))", carrier(lo, hi), self.text);
        Some(Term::integer(text, lo, hi, self.facts.clone()))
    }

    /// The bounds of an integer.
    pub(crate) fn bounds(&self) -> (i128, i128) {
        match self.ty {
            Ty::Integer { lo, hi } => (lo, hi),
            _ => (SIGNED.0, LARGEST),
        }
    }

    pub(crate) fn is_float(&self) -> bool {
        matches!(self.ty, Ty::Real | Ty::C(CType::Float { .. }))
    }

    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self.ty, Ty::C(CType::Pointer(_) | CType::Array(_)))
    }

    /// What it is to people.
    pub(crate) fn describe(&self) -> &'static str {
        match &self.ty {
            Ty::Integer { .. } => "an integer",
            Ty::Real => "a real",
            Ty::Truth => "a predicate",
            Ty::C(ty) => ty.describe(),
        }
    }
}
