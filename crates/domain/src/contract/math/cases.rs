//! The cases of a function of libm, united as they are listed.

use super::line::Line;
use super::monotone::{self, Direction};
use crate::contract::cases::{unite, within};
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{FloatFn, FloatWidth, MathFn, float_fn};

/// What is possible of the operands and the result, which comes last, in the cases listed so far.
pub(super) struct Cases<const M: usize> {
    pub function: MathFn,
    pub line: Line,
    given: [Domain; M],
    found: Option<[Domain; M]>,
}

impl<const M: usize> Cases<M> {
    pub fn new(function: MathFn, w: FloatWidth, given: [Domain; M]) -> Cases<M> {
        Cases { function, line: Line(w), given, found: None }
    }

    /// What is possible in any of the cases.
    pub fn possible(self) -> Option<[Domain; M]> {
        self.found
    }

    /// Operands on these arcs have results on the last one.
    pub fn any(&mut self, arcs: [Interval; M]) {
        let parts = self.parts(arcs);
        self.add(parts);
    }

    /// As [`any`](Cases::any), and the function rises or falls with each of the operands, on numbers.
    pub fn monotone(&mut self, arcs: [Interval; M], directions: &[Direction]) {
        let parts = self.parts(arcs);
        let left = parts.and_then(|parts| monotone::contract(self.function, self.line.0, directions, parts));
        self.add(left);
    }

    /// Operands given by rank; the last number is not looked at.
    pub fn point(&mut self, mut ranks: [u64; M]) {
        let (result, operands) = ranks.split_last_mut().expect("a function has a result");
        *result = float_fn(FloatFn::Math(self.function), self.line.0, operands);
        self.any(ranks.map(Interval::singleton));
    }

    /// The first and last rank of an operand on an arc of numbers.
    pub fn bounds(&self, operand: usize, arc: Interval) -> Option<(u64, u64)> {
        let width = self.line.0.width();
        Some(within(width, self.given[operand], arc)?.unsigned_bounds(width))
    }

    fn parts(&self, arcs: [Interval; M]) -> Option<[Domain; M]> {
        let mut parts = self.given;
        for (part, arc) in parts.iter_mut().zip(arcs) {
            *part = within(self.line.0.width(), *part, arc)?;
        }
        Some(parts)
    }

    fn add(&mut self, left: Option<[Domain; M]>) {
        unite(self.line.0.width(), &self.given, &mut self.found, left);
    }
}
