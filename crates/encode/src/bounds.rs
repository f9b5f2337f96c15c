//! How far pointers may stray.
//!
//! As in the interpreter: an address names its object as long as it stays in the object's surroundings, and a pointer
//! to no object is a number.

use quipu_ir::Event;
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp, Width};

use crate::encoder::{Engine, Here};
use crate::memory::ObjectId;
use crate::pointer::{self, Base, Case, Pointer};
use crate::progression::progression;

impl Engine<'_> {
    /// Demands that a pointer that was moved did not leave the surroundings of its object.
    pub fn check_surroundings(&mut self, here: Here, before: &Pointer, moved: &Pointer) {
        for (from, case) in before.cases.iter().zip(&moved.cases) {
            match case.base {
                Base::Null => self.check_away_from_null(here, from.offset, case),
                Base::Unknown => self.leave_unchecked(here, "an unknown pointer that is moved"),
                Base::Object(_) | Base::Function(_) => {}
            }
            let Some((low, high)) = self.surroundings(case.base) else { continue };
            let values = progression(self.terms.model, case.offset);
            if i128::from(low) <= values.low && values.high <= i128::from(high) {
                continue;
            }
            let near = self.between(case.offset, low, high);
            let elsewhere = self.terms.not(case.when);
            let fine = self.terms.any(&[elsewhere, near]);
            self.check(here, fine, Event::OutOfBounds);
        }
    }

    /// A pointer to no object may not be moved to where objects are.
    fn check_away_from_null(&mut self, here: Here, from: Term, to: &Case) {
        if self.address != Width::W64
            || progression(self.terms.model, to.offset).high < i128::from(FIRST_ADDRESS_64)
        {
            return;
        }
        let (was_far, is_far) = (self.is_far_from_null(from), self.is_far_from_null(to.offset));
        let (elsewhere, near) = (self.terms.not(to.when), self.terms.not(is_far));
        let fine = self.terms.any(&[elsewhere, was_far, near]);
        self.check(here, fine, Event::InvalidPointer);
    }

    /// Where addresses begin to which no pointer to no object can be moved from below; none if there is no such limit.
    pub fn nearest_far_address(&self) -> Option<i64> {
        (self.address == Width::W64).then_some(FIRST_ADDRESS_64.cast_signed())
    }

    /// The least and the greatest offset that an address may have and still name its object.
    pub fn surroundings(&self, base: Base) -> Option<(i64, i64)> {
        let size = self.size_of(base)?.max(1).cast_signed();
        match self.address {
            Width::W32 => Some((-NEAR, size + NEAR - 1)),
            _ => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
        }
    }

    /// Whether an address at an offset names an object or a function.
    pub fn is_near(&mut self, base: Base, offset: Term) -> Term {
        match self.surroundings(base) {
            Some((low, high)) => self.between(offset, low, high),
            None => self.terms.truth(false),
        }
    }

    fn size_of(&self, base: Base) -> Option<u64> {
        match base {
            Base::Object(object) => Some(self.objects[object].size),
            Base::Function(_) => Some(0),
            Base::Null | Base::Unknown => None,
        }
    }

    /// The offset just behind an object.
    fn end_of(&mut self, base: Base) -> Option<Term> {
        match base {
            Base::Object(object) => Some(self.extent(object)),
            _ => self.size_of(base).map(|size| self.terms.constant(self.address, size)),
        }
    }

    /// The size of an object in the run.
    pub fn extent(&mut self, object: ObjectId) -> Term {
        let info = self.objects[object];
        info.extent.unwrap_or_else(|| self.terms.constant(self.address, info.size))
    }

    /// Whether so many bytes at an offset lie within an object.
    pub fn is_inside(&mut self, object: ObjectId, offset: Term, size: u64) -> Term {
        let info = self.objects[object];
        let width = self.terms.width(offset);
        let Some(extent) = info.extent else {
            let last = self.terms.constant(width, info.size - size);
            return self.terms.compare(IntCmp::Ule, offset, last);
        };
        if self.are_multiples(&[offset, extent], size) {
            return self.terms.compare(IntCmp::Ult, offset, extent);
        }
        let wanted = self.terms.constant(width, size);
        self.fits(offset, wanted, extent)
    }

    /// Whether so many bytes from an offset on are inside an object of a size.
    pub fn fits(&mut self, offset: Term, size: Term, extent: Term) -> Term {
        let room = self.terms.compare(IntCmp::Ule, size, extent);
        let last = self.terms.op(IntOp::Sub, extent, size);
        let before = self.terms.compare(IntCmp::Ule, offset, last);
        self.terms.both(room, before)
    }

    fn are_multiples(&self, terms: &[Term], of: u64) -> bool {
        terms.iter().all(|&term| {
            let values = progression(self.terms.model, term);
            match values.step {
                0 => values.low.rem_euclid(i128::from(of)) == 0,
                step => step.is_multiple_of(of) && values.residue.is_multiple_of(of),
            }
        })
    }

    /// Whether two pointers point into one object or just past it, or neither to any object.
    pub fn in_one_object(&mut self, a: &Pointer, b: &Pointer) -> Term {
        let mut limits: Vec<(Base, Option<Term>, Term)> = Vec::new();
        for case in &a.cases {
            limits.push((case.base, self.end_of(case.base), self.doubted_end(case.base)));
        }
        pointer::by_base(&mut self.terms, a, b, |terms, base, x, y| {
            let limit = limits.iter().find(|(known, ..)| *known == base);
            let Some(&(_, Some(size), doubted)) = limit else { return terms.truth(true) };
            let (x, y) = (terms.compare(IntCmp::Ule, x, size), terms.compare(IntCmp::Ule, y, size));
            let within = terms.both(x, y);
            terms.any(&[within, doubted])
        })
    }

    /// Where an object may end elsewhere than it is assumed to.
    fn doubted_end(&mut self, base: Base) -> Term {
        let trusted = match base {
            Base::Object(object) if self.objects[object].is_sized => None,
            Base::Object(object) => self.objects[object].trusted,
            Base::Function(_) | Base::Null | Base::Unknown => None,
        };
        match trusted {
            Some(trusted) => self.terms.not(trusted),
            None => self.terms.truth(false),
        }
    }

    /// Whether a number that is used as an address may be that of an object: no model tells which.
    pub fn is_far_from_null(&mut self, address: Term) -> Term {
        let width = self.terms.width(address);
        match width {
            Width::W32 => {
                let first = self.terms.constant(width, FIRST_ADDRESS_32);
                self.terms.compare(IntCmp::Ule, first, address)
            }
            _ => {
                let first = self.terms.constant(width, FIRST_ADDRESS_64);
                self.terms.compare(IntCmp::Sle, first, address)
            }
        }
    }

    fn between(&mut self, offset: Term, low: i64, high: i64) -> Term {
        let width = self.terms.width(offset);
        let first = self.terms.constant(width, width.wrap(low.cast_unsigned()));
        let distance = self.terms.op(IntOp::Sub, offset, first);
        let most = self.terms.constant(width, high.wrapping_sub(low).cast_unsigned());
        self.terms.compare(IntCmp::Ule, distance, most)
    }
}

/// The same for a number that is known.
pub(crate) fn is_far_from_null(address: u64, width: Width) -> bool {
    match width {
        Width::W32 => address >= FIRST_ADDRESS_32,
        _ => width.signed(address) >= FIRST_ADDRESS_64.cast_signed(),
    }
}

/// With 32-bit addresses, the surroundings are so many bytes on both sides of an object.
const NEAR: i64 = 1024;

/// No object has an address below.
const FIRST_ADDRESS_32: u64 = 0x1_0000;
const FIRST_ADDRESS_64: u64 = 1 << 32;
