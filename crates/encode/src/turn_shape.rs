//! What a value may be at the head of a loop, in whatever turn.
//!
//! A shape is a set of values that only grows. A number may be any number; a pointer has some bases, and for each an
//! offset, or a distance between its offsets.

use std::rc::Rc;

use quipu_model::Term;
use quipu_num::{FloatWidth, IntOp, Width};

use crate::encoder::Engine;
use crate::float::Float;
use crate::memory::ObjectId;
use crate::pointer::{Base, Case, Pointer};
use crate::progression::{Steps, progression};
use crate::symbol::Symbol;
use crate::terms::Terms;

/// The values of something in all turns.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ValueShape {
    Number(Width),
    Float(FloatWidth),
    Pointer(Vec<Target>),
    /// Whatever an address may be.
    Anywhere,
}

/// What a pointer may point to; each base occurs once.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Target {
    base: Base,
    offset: Offset,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Offset {
    /// This one, which is the same in all turns.
    Same(Term),
    Any(Steps),
}

/// A pointer with more bases may be anywhere.
const MOST_BASES: usize = 64;

/// Tells which objects are the same in all turns. Of others, there may be one for each turn.
pub(crate) type Lasting<'a> = dyn Fn(ObjectId) -> bool + 'a;

impl ValueShape {
    /// The shape of a value that was computed before the turns of which the shape tells.
    pub fn of(terms: &Terms<'_>, symbol: &Symbol, lasting: &Lasting<'_>) -> ValueShape {
        let mut shape = ValueShape::none_like(terms, symbol);
        shape.include(terms, symbol, lasting, |_, offset| Offset::Same(offset));
        shape
    }

    /// The shape of no value, of the kind that a value has.
    pub fn none_like(terms: &Terms<'_>, symbol: &Symbol) -> ValueShape {
        match symbol {
            Symbol::Int(term) => ValueShape::Number(terms.width(*term)),
            Symbol::Float(float) => ValueShape::Float(float.width),
            Symbol::Pointer(_) => ValueShape::Pointer(Vec::new()),
        }
    }

    /// Lets a value of a turn belong to the shape.
    pub fn extend(&mut self, terms: &Terms<'_>, symbol: &Symbol, lasting: &Lasting<'_>) {
        // What is computed in a turn is the same in all turns only if it is a number.
        self.include(terms, symbol, lasting, |terms, offset| match terms.known(offset) {
            Some(_) => Offset::Same(offset),
            None => Offset::Any(progression(terms.model, offset).steps()),
        });
    }

    fn include(
        &mut self,
        terms: &Terms<'_>,
        symbol: &Symbol,
        lasting: &Lasting<'_>,
        first: impl Fn(&Terms<'_>, Term) -> Offset,
    ) {
        match (&mut *self, symbol) {
            (ValueShape::Anywhere, _) => {}
            (ValueShape::Pointer(targets), Symbol::Pointer(pointer)) => {
                for case in &pointer.cases {
                    if !is_lasting(case, lasting) {
                        *self = ValueShape::Anywhere;
                        return;
                    }
                    match targets.iter_mut().find(|target| target.base == case.base) {
                        Some(target) => target.offset = target.offset.or(terms, case.offset),
                        None => targets.push(Target { base: case.base, offset: first(terms, case.offset) }),
                    }
                }
                if targets.len() > MOST_BASES {
                    *self = ValueShape::Anywhere;
                }
            }
            (ValueShape::Pointer(_), _) | (_, Symbol::Pointer(_)) => *self = ValueShape::Anywhere,
            (ValueShape::Float(width), Symbol::Float(float)) if *width == float.width => {}
            // Bits may be those of a float or not.
            (ValueShape::Float(width), _) => {
                *self = ValueShape::Number(width.width());
            }
            (ValueShape::Number(_), _) => {}
        }
    }
}

fn is_lasting(case: &Case, lasting: &Lasting<'_>) -> bool {
    match case.base {
        Base::Object(object) => lasting(object),
        Base::Null | Base::Function(_) => true,
        Base::Unknown => false,
    }
}

impl Offset {
    fn or(self, terms: &Terms<'_>, other: Term) -> Offset {
        let own = match self {
            Offset::Same(term) if term == other => return self,
            Offset::Same(term) => progression(terms.model, term).steps(),
            Offset::Any(steps) => steps,
        };
        Offset::Any(own.or(progression(terms.model, other).steps()))
    }
}

impl Engine<'_> {
    /// Some value of a shape.
    pub fn any_of(&mut self, shape: &ValueShape) -> Symbol {
        match shape {
            ValueShape::Number(width) => Symbol::Int(self.terms.unknown(*width)),
            ValueShape::Float(width) => Symbol::Float(Float::unknown(&mut self.terms, *width)),
            ValueShape::Anywhere => Symbol::unknown(&mut self.terms, quipu_ir::Ty::Ptr, self.address),
            ValueShape::Pointer(targets) => Symbol::Pointer(Rc::new(self.any_pointer(targets))),
        }
    }

    fn any_pointer(&mut self, targets: &[Target]) -> Pointer {
        let which = self.terms.unknown(Width::W8);
        let mut others = Vec::new();
        let mut cases = Vec::new();
        for (n, target) in targets.iter().enumerate() {
            let when = match n + 1 == targets.len() {
                true => {
                    let other = self.terms.any(&others);
                    self.terms.not(other)
                }
                false => self.terms.is(which, n as u64),
            };
            others.push(when);
            let offset = match target.offset {
                Offset::Same(term) => term,
                Offset::Any(steps) => self.any_offset(target.base, steps),
            };
            cases.push(Case { when, base: target.base, offset });
        }
        Pointer { cases }
    }

    /// An offset in some steps. A pointer does not leave the surroundings of its object, or of null, as that would be
    /// an event.
    fn any_offset(&mut self, base: Base, steps: Steps) -> Term {
        let first = self.address.wrap((steps.first as i64).cast_unsigned());
        if steps.step == 0 {
            return self.terms.constant(self.address, first);
        }
        let Some((low, high)) = self.surroundings(base) else { return self.any_number(base) };
        let count = |bound: i64| (i128::from(bound) - steps.first).div_euclid(i128::from(steps.step)) as i64;
        let n = self.terms.unknown_between(self.address, count(low), count(high) + 1);
        let step = self.terms.constant(self.address, steps.step);
        let distance = self.terms.op(IntOp::Mul, n, step);
        let first = self.terms.constant(self.address, first);
        self.terms.add(distance, first)
    }

    /// A number as an address.
    fn any_number(&mut self, base: Base) -> Term {
        match (base, self.nearest_far_address()) {
            (Base::Null, Some(far)) => self.terms.unknown_between(self.address, i64::MIN, far - 1),
            _ => self.terms.unknown(self.address),
        }
    }
}
