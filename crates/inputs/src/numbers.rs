//! Numbers on which the code relies: it divides, shifts or indexes by them as they are, and never compares them.

use quipu_ir::{Check, InstKind, Terminator, Value};
use quipu_num::{Cast, Guard};

use crate::path::Path;
use crate::usage::Reader;

/// Constants above tell nothing about how many things there are.
const FEW: u64 = 32;

/// What must hold of a number where it is used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Needed {
    pub nonzero: bool,
    /// It is not negative, and less than this.
    pub below: Option<u64>,
}

impl Needed {
    pub fn and(self, other: Needed) -> Needed {
        let below = self.below.into_iter().chain(other.below).min();
        Needed { nonzero: self.nonzero || other.nonzero, below }
    }
}

impl Reader<'_> {
    /// Numbers that are checked as they are, and those that the code compares with anything.
    pub(crate) fn find_numbers(&mut self) {
        for inst in self.insts() {
            match inst.kind {
                InstKind::Check(check, a, b) => self.checked(check, a, b),
                InstKind::IntCmp(_, a, b) => {
                    self.weighed(a);
                    self.weighed(b);
                    self.compared(a, b);
                    self.compared(b, a);
                }
                _ => {}
            }
        }
        for block in self.code.blocks.iter() {
            if let Terminator::Switch { value, .. } = block.term {
                self.weighed(value);
            }
        }
    }

    fn checked(&mut self, check: Check, a: Value, b: Value) {
        let below = |limit: u64| Needed { nonzero: false, below: Some(limit) };
        let (number, needed) = match check {
            Check::Guard(Guard::NonZero(_) | Guard::AnyBit(_)) => (b, Needed { nonzero: true, below: None }),
            Check::Guard(Guard::ShiftInRange { shifted, .. }) => (b, below(u64::from(shifted.bits()))),
            Check::Guard(Guard::IndexBelow(_)) => match self.constant(b) {
                Some(limit) if limit > 0 => (a, below(limit)),
                _ => return,
            },
            _ => return,
        };
        if let Some(path) = self.plain(number) {
            self.usage.needs(&path, needed);
        }
    }

    /// The code asks what a number is.
    fn weighed(&mut self, number: Value) {
        self.usage.weighed.extend(self.number(number));
    }

    /// A number is compared with a constant.
    fn compared(&mut self, number: Value, constant: Value) {
        let Some((path, bits)) = self.number(number).zip(self.constant(constant)) else { return };
        if bits <= FEW {
            self.usage.compares(&path, bits);
        }
    }

    /// The input that a number is, unchanged but for its width.
    pub(crate) fn plain(&self, value: Value) -> Option<Path> {
        match self.makers[value] {
            Some(InstKind::Cast(Cast::ZExt(..) | Cast::SExt(..), inner)) => self.plain(*inner),
            Some(InstKind::Load { .. }) => self.number(value),
            None if self.code.blocks[self.code.entry()].params.contains(&value) => self.number(value),
            _ => None,
        }
    }
}
