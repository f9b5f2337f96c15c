//! `qsort` and `bsearch` in loose encodings: what is true of their results, not how they come about.

use std::rc::Rc;

use quipu_model::Term;
use quipu_num::{IntCmp, Width};

use super::Called;
use super::sort::{Comparing, MOST_SEARCHED};
use crate::encoder::Engine;
use crate::pointer::Pointer;
use crate::symbol::Symbol;

impl Engine<'_> {
    /// `bsearch` with a comparison function that has no effects: null, or an element that is equal to the key. Every
    /// call of the function is one for some element.
    pub(super) fn search_loosely(&mut self, comparing: &mut Comparing, key: &Symbol, count: Term) -> Called {
        let found = self.terms.unknown(Width::W1);
        self.fork(
            found,
            |engine| {
                let last = MOST_SEARCHED.cast_signed() - 1;
                let number = engine.terms.unknown_between(engine.address, 0, last);
                let inside = engine.terms.compare(IntCmp::Ult, number, count);
                engine.state = engine.state_if(inside)?;
                let always = engine.terms.truth(true);
                let order = engine.order_if(comparing, always, Some(key), number, number)?;
                let same = engine.terms.is(order, 0);
                engine.state = engine.state_if(same)?;
                Some(Some(engine.element_pointer(comparing, number)))
            },
            |engine| {
                let null = Pointer::null(&mut engine.terms, engine.address);
                Some(Some(Symbol::Pointer(Rc::new(null))))
            },
        )
    }

    /// `qsort` with a comparison function that looks at nothing but the bytes of two elements.
    ///
    /// Every element is one of those before. Of neighbours x and y, either x was compared with y and is not greater, or
    /// y was compared with x and is greater: merging keeps the neighbours of one row together, unless elements of the
    /// other come between them; and where neighbours come from two rows, the first one was taken when both were the
    /// first ones left, after just this comparison. The function need not be consistent for that.
    pub(super) fn sort_loosely(&mut self, comparing: &mut Comparing, count: u64) -> Option<()> {
        self.compare_any(comparing, count);
        let order: Vec<Term> = (0..count).map(|_| self.any_element(count)).collect();
        self.permute(comparing, &order)?;
        for n in 1..count {
            let x = self.terms.constant(self.address, n - 1);
            let y = self.terms.constant(self.address, n);
            let straight = self.terms.unknown(Width::W1);
            let always = self.terms.truth(true);
            let comparing = std::cell::RefCell::new(&mut *comparing);
            self.fork(
                straight,
                |engine| {
                    let order = engine.order_if(*comparing.borrow_mut(), always, None, x, y)?;
                    engine.go_on_if_greater(order, false)
                },
                |engine| {
                    let order = engine.order_if(*comparing.borrow_mut(), always, None, y, x)?;
                    engine.go_on_if_greater(order, true)
                },
            )?;
        }
        Some(())
    }

    /// The calls of the comparison function: each is one with two of the elements. Nothing goes on behind it.
    fn compare_any(&mut self, comparing: &mut Comparing, count: u64) {
        let before = self.state.clone();
        let here = self.terms.unknown(Width::W1);
        if let Some(state) = self.state_if(here) {
            self.state = state;
            let (a, b) = (self.any_element(count), self.any_element(count));
            let always = self.terms.truth(true);
            self.order_if(comparing, always, None, a, b);
        }
        self.state = before;
    }

    fn any_element(&mut self, count: u64) -> Term {
        let which = self.terms.unknown(self.address);
        let numbers: Vec<Term> = (0..count).map(|n| self.terms.constant(self.address, n)).collect();
        self.terms.pick(which, &numbers)
    }

    /// Goes on where the result of a comparison is greater than zero, or where it is not.
    fn go_on_if_greater(&mut self, order: Term, greater: bool) -> Called {
        let zero = self.terms.constant(Width::W32, 0);
        let is_not = self.terms.compare(IntCmp::Sle, order, zero);
        let condition = if greater { self.terms.not(is_not) } else { is_not };
        self.state = self.state_if(condition)?;
        Some(None)
    }
}
