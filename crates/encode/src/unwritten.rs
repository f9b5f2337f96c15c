//! Reads of what was never written.
//!
//! C gives such a read no meaning. It is an event that ends the run, or, where that is asked for, it gives any value and
//! the run goes on: another one at each read, as compilers do not keep to one either. Tests are run with zeros in such
//! memory. So each read says whether it finds that zero, or anything else: a proof holds for both, a test needs the zero.

use quipu_ir::{Event, Ty};
use quipu_model::Term;
use quipu_num::Width;

use crate::encoder::{Engine, Here};
use crate::symbol::Symbol;

impl Engine<'_> {
    /// What a read gives that finds a value which was written where `fine` is true.
    pub fn if_written(&mut self, here: Here, fine: Term, value: Symbol, ty: Ty) -> Symbol {
        if !self.unwinding.indeterminate {
            self.check(here, fine, Event::UninitializedRead);
            return value;
        }
        if self.terms.is_true(fine) {
            return value;
        }
        let zero = self.terms.unknown(Width::W1);
        self.out.zeros.push(zero);
        let known = self.terms.any(&[fine, zero]);
        self.leave_indeterminate(here, known, ty);
        let anything = Symbol::unknown(&mut self.terms, ty, self.address);
        Symbol::select(&mut self.terms, known, &value, &anything)
    }

    /// Takes note of a value that may be anything unless it is known. The byte of a truth value may be neither 0 nor 1,
    /// and then nobody knows what becomes of it (C17 6.2.6.1p5): that is not followed.
    fn leave_indeterminate(&mut self, here: Here, known: Term, ty: Ty) {
        let unknown = self.terms.not(known);
        let Some(state) = self.state_if(unknown) else { return };
        let before = std::mem::replace(&mut self.state, state);
        match ty {
            Ty::Int(Width::W1) => self.unsupported(here, "a truth value that was never written"),
            _ => {
                let read = self.approximation(here, "a value that was never written");
                self.out.unwritten.push(read);
            }
        }
        self.state = before;
    }
}
