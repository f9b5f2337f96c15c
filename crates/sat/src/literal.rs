//! Variables and literals.
//!
//! A literal is `2 * variable + sign`: it indexes a table without gaps, negation flips one bit, and sorting puts `x`
//! next to `!x`, where duplicates and tautologies are easily seen. DIMACS numbers appear only at the border.

use std::fmt;
use std::ops::{BitXor, Not};

use quipu_base::{Id, define_id};

define_id! {
    /// A propositional variable. A solver numbers its variables from 0 in the order of their creation.
    Var, "x"
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Var {
    /// The number of variables that literals can name: what fits a DIMACS number.
    pub const LIMIT: usize = i32::MAX as usize;

    /// The literal that says that the variable is true.
    pub fn positive(self) -> Lit {
        Lit::new(self, true)
    }

    /// The literal that says that the variable is false.
    pub fn negative(self) -> Lit {
        Lit::new(self, false)
    }
}

impl Lit {
    /// The literal that says that `var` has this value.
    pub fn new(var: Var, value: bool) -> Lit {
        let index = var.index();
        assert!(index < Var::LIMIT, "a literal should name one of the first 2^31 - 1 variables");
        Lit(((index as u32) << 1) | u32::from(!value))
    }

    /// The variable that the literal speaks of.
    pub fn var(self) -> Var {
        Var::new(self.index() >> 1)
    }

    /// The value of the variable under which the literal is true.
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The number of the literal, dense from 0: `2 * variable` if it is positive, one more if not.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal as DIMACS and IPASIR write it: the variable's number from 1 on, negated if the literal is.
    pub fn dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_positive() { number } else { -number }
    }

    /// The literal of a DIMACS number; zero, which ends a clause, is none.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        let index = number.checked_abs()?.checked_sub(1).filter(|index| *index >= 0)?;
        Some(Lit::new(Var::new(index as usize), number > 0))
    }
}

impl From<Var> for Lit {
    fn from(var: Var) -> Lit {
        var.positive()
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// `lit ^ true` is the negation of `lit`, `lit ^ false` is `lit`.
impl BitXor<bool> for Lit {
    type Output = Lit;

    fn bitxor(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "!" }, self.var())
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_its_variable_and_its_sign() {
        for index in [0, 1, 2, 77, Var::LIMIT - 1] {
            let var = Var::new(index);
            for value in [true, false] {
                let lit = Lit::new(var, value);
                assert_eq!((lit.var(), lit.is_positive()), (var, value));
                assert_eq!(lit.index(), 2 * index + usize::from(!value));
                assert_eq!((!lit, !!lit), (Lit::new(var, !value), lit));
                assert_eq!((lit ^ true, lit ^ false), (!lit, lit));
                assert_eq!(Lit::from_dimacs(lit.dimacs()), Some(lit));
                assert_eq!((!lit).dimacs(), -lit.dimacs());
            }
        }
    }

    #[test]
    fn dimacs_numbers_start_at_one() {
        assert_eq!(Var::new(0).positive().dimacs(), 1);
        assert_eq!(Var::new(Var::LIMIT - 1).negative().dimacs(), -i32::MAX);
        assert_eq!((Lit::from_dimacs(0), Lit::from_dimacs(i32::MIN)), (None, None));
    }

    #[test]
    fn literals_print_by_name() {
        let var = Var::new(3);
        assert_eq!(format!("{} {} {:?}", var.positive(), var.negative(), !Lit::from(var)), "x3 !x3 !x3");
    }
}
