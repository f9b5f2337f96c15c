//! `qsort` and `bsearch`.
//!
//! The order of elements is a row of terms, one for each place. All orders share the calls of the comparison function:
//! its arguments are elements that depend on the results before.

use std::rc::Rc;

use quipu_ir::Ty;
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp, Width};

use super::view::objects_only;
use super::{Call, Called};
use crate::block::Flow;
use crate::call::Wanted;
use crate::content::{Background, Content};
use crate::encoder::{Engine, Here};
use crate::memory::{ObjectInfo, ObjectKind, Source};
use crate::pointer::{self, Base, Pointer};
use crate::symbol::Symbol;

/// More elements are not sorted.
const MOST_SORTED: u64 = 64;

/// So many if their number depends on inputs: each number is sorted by itself.
const MOST_SORTED_COUNTS: u64 = 10;

/// More elements are not searched.
pub(super) const MOST_SEARCHED: u64 = 1 << 16;

/// What a comparison compares, and how often it did so.
pub(super) struct Comparing {
    here: Here,
    base: Pointer,
    size: u64,
    function: Rc<Pointer>,
    calls: u64,
}

impl Engine<'_> {
    /// `qsort`.
    pub(super) fn sort(&mut self, call: &Call<'_>) -> Called {
        let count = self.size_argument(call, 1);
        let size = self.element_size(call, 2)?;
        if size == 0 {
            return Some(None);
        }
        self.check_comparison(call, 3)?;
        let two = self.terms.constant(self.address, 2);
        let trivial = self.terms.compare(IntCmp::Ult, count, two);
        self.fork(trivial, |_| Some(None), |engine| engine.sort_some(call, count, size))
    }

    fn sort_some(&mut self, call: &Call<'_>, count: Term, size: u64) -> Called {
        let view = self.view(call.here, call.pointer(0))?;
        let always = self.terms.truth(true);
        let bytes = self.terms.constant(self.address, size);
        let total = self.total_size(count, bytes);
        self.check_range(call.here, &view, total, always, false);
        let most = view.end / size;
        if let Some(count) = self.terms.known(count) {
            if count > most {
                return None;
            }
            if count > MOST_SORTED {
                self.unsupported(call.here, format!("`qsort` of {count} elements"));
                return None;
            }
            return self.sort_so_many(call, count, size);
        }
        if most > MOST_SORTED_COUNTS {
            let limit = self.terms.constant(self.address, MOST_SORTED_COUNTS);
            let many = self.terms.compare(IntCmp::Ult, limit, count);
            self.cut_where(call.here, many, "`qsort` of many elements, whose number depends on inputs")?;
        }
        self.sort_up_to(call, count, size, most.min(MOST_SORTED_COUNTS))
    }

    fn sort_up_to(&mut self, call: &Call<'_>, count: Term, size: u64, most: u64) -> Called {
        if most < 2 {
            return None;
        }
        let just = self.terms.is(count, most);
        self.fork(
            just,
            |engine| engine.sort_so_many(call, most, size),
            |engine| engine.sort_up_to(call, count, size, most - 1),
        )
    }

    fn sort_so_many(&mut self, call: &Call<'_>, count: u64, size: u64) -> Called {
        let base = objects_only(&mut self.terms, call.pointer(0));
        let mut comparing =
            Comparing { here: call.here, base, size, function: call.pointer(3).clone(), calls: count << 32 };
        if self.unwinding.loose && self.compares_bytes_only(call.pointer(3), size) {
            self.sort_loosely(&mut comparing, count)?;
            return Some(None);
        }
        let elements: Vec<Term> = (0..count).map(|n| self.terms.constant(self.address, n)).collect();
        let order = self.merge_sort(&mut comparing, &elements)?;
        self.permute(&comparing, &order)?;
        Some(None)
    }

    /// glibc's `msort_with_tmp`, on the numbers of the elements.
    fn merge_sort(&mut self, comparing: &mut Comparing, elements: &[Term]) -> Option<Vec<Term>> {
        if elements.len() <= 1 {
            return Some(elements.to_vec());
        }
        let (left, right) = elements.split_at(elements.len() / 2);
        let left = self.merge_sort(comparing, left)?;
        let right = self.merge_sort(comparing, right)?;
        self.merge_rows(comparing, &left, &right)
    }

    /// Merges two rows: after each step, a term tells how many elements came from the left one.
    fn merge_rows(&mut self, comparing: &mut Comparing, left: &[Term], right: &[Term]) -> Option<Vec<Term>> {
        let mut merged = Vec::new();
        let mut from_left = self.terms.constant(self.address, 0);
        for step in 0..left.len() + right.len() {
            let number = self.terms.constant(self.address, step as u64);
            let from_right = self.terms.op(IntOp::Sub, number, from_left);
            let left_open = self.is_less(from_left, left.len());
            let right_open = self.is_less(from_right, right.len());
            let (a, b) = (self.pick_clamped(from_left, left), self.pick_clamped(from_right, right));
            let both = self.terms.both(left_open, right_open);
            let order = self.order_if(comparing, both, None, a, b)?;
            let zero = self.terms.constant(Width::W32, 0);
            let in_order = self.terms.compare(IntCmp::Sle, order, zero);
            let take_left = self.terms.select(both, in_order, left_open);
            merged.push(self.terms.select(take_left, a, b));
            let one = self.terms.resize(take_left, self.address, false);
            from_left = self.terms.add(from_left, one);
        }
        Some(merged)
    }

    fn is_less(&mut self, number: Term, limit: usize) -> Term {
        let limit = self.terms.constant(self.address, limit as u64);
        self.terms.compare(IntCmp::Ult, number, limit)
    }

    /// An element of a row; any where the row is over.
    fn pick_clamped(&mut self, index: Term, row: &[Term]) -> Term {
        match self.terms.known(index) {
            Some(n) => row[(n as usize).min(row.len() - 1)],
            None => self.terms.pick(index, row),
        }
    }

    /// What the comparison function says of two elements, or of a key and an element, where a condition is true;
    /// 0 elsewhere.
    pub(super) fn order_if(
        &mut self,
        comparing: &mut Comparing,
        condition: Term,
        key: Option<&Symbol>,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        comparing.calls += 1;
        let a = key.cloned().unwrap_or_else(|| self.element_pointer(comparing, a));
        let b = self.element_pointer(comparing, b);
        let here = Here { context: comparing.here.context.turn(comparing.calls), ..comparing.here };
        let function = comparing.function.clone();
        let wanted = Wanted { ty: Some(Ty::I32), used: true };
        let order = self.fork(
            condition,
            |engine| engine.call_pointer(here, &function, &[a, b], wanted),
            |engine| Some(Some(Symbol::Int(engine.terms.constant(Width::W32, 0)))),
        )?;
        order.map(|order| order.int())
    }

    pub(super) fn element_pointer(&mut self, comparing: &Comparing, number: Term) -> Symbol {
        let size = self.terms.constant(self.address, comparing.size);
        let distance = self.terms.op(IntOp::Mul, number, size);
        Symbol::Pointer(Rc::new(comparing.base.moved(&mut self.terms, distance)))
    }

    /// Moves the elements to their places, unwritten bytes included.
    pub(super) fn permute(&mut self, comparing: &Comparing, order: &[Term]) -> Option<()> {
        let (here, size) = (comparing.here, comparing.size);
        let total = size * order.len() as u64;
        let sorted = self.add_object(ObjectInfo::new(total, ObjectKind::Heap).from(Source::Hidden));
        let content = Content::new(&mut self.terms, Background::Unwritten);
        self.state.memory.set(sorted, Rc::new(content));
        for (n, &element) in order.iter().enumerate() {
            let place = self.terms.constant(self.address, n as u64 * size);
            let place = Pointer::to(&mut self.terms, Base::Object(sorted), place);
            let element = self.element_pointer(comparing, element);
            self.copy_all(here, &place, element.pointer(), size)?;
        }
        let start = Pointer::start_of(&mut self.terms, Base::Object(sorted), self.address);
        self.copy_all(here, &comparing.base, &start, total)?;
        self.state.memory.remove(sorted);
        Some(())
    }

    fn copy_all(&mut self, here: Here, dst: &Pointer, src: &Pointer, size: u64) -> Option<()> {
        match self.copy(here, dst, src, size, true) {
            Flow::On => Some(()),
            Flow::Stopped => None,
        }
    }

    /// `bsearch`.
    pub(super) fn binary_search(&mut self, call: &Call<'_>) -> Called {
        let size = self.element_size(call, 3)?;
        self.check_comparison(call, 4)?;
        let count = self.size_argument(call, 2);
        let limit = self.terms.constant(self.address, MOST_SEARCHED);
        let many = self.terms.compare(IntCmp::Ult, limit, count);
        self.cut_where(call.here, many, "`bsearch` in very many elements")?;
        let (base, function) = (call.pointer(1), call.pointer(4).clone());
        let mut comparing = Comparing { here: call.here, base: (**base).clone(), size, function, calls: 0 };
        if self.unwinding.loose && self.has_no_effects(call.pointer(4)) {
            return self.search_loosely(&mut comparing, &call.args[0], count);
        }
        let mut low = self.terms.constant(self.address, 0);
        let mut high = count;
        let mut place = Pointer::null(&mut self.terms, self.address);
        let mut open = self.terms.compare(IntCmp::Ult, low, high);
        let most = self.terms.known(count).unwrap_or(MOST_SEARCHED);
        for _ in 0..u64::BITS - most.leading_zeros() {
            if self.terms.is_false(open) {
                break;
            }
            let distance = self.terms.op(IntOp::Sub, high, low);
            let one = self.terms.constant(self.address, 1);
            let half = self.terms.op(IntOp::LShr, distance, one);
            let middle = self.terms.add(low, half);
            let order = self.order_if(&mut comparing, open, Some(&call.args[0]), middle, middle)?;
            let zero = self.terms.constant(Width::W32, 0);
            let (same, less) = (self.terms.equal(order, zero), self.terms.compare(IntCmp::Slt, order, zero));
            let found = self.terms.both(open, same);
            let there = self.element_pointer(&comparing, middle);
            place = pointer::select(&mut self.terms, found, there.pointer(), &place);
            high = self.terms.select(less, middle, high);
            let behind = self.terms.add(middle, one);
            low = self.terms.select(less, low, behind);
            let left = self.terms.compare(IntCmp::Ult, low, high);
            let differ = self.terms.not(same);
            let more = self.terms.both(differ, left);
            open = self.link(open, more);
        }
        Some(Some(Symbol::Pointer(Rc::new(place))))
    }

    fn element_size(&mut self, call: &Call<'_>, n: usize) -> Option<u64> {
        let size = self.size_argument(call, n);
        match self.terms.known(size) {
            Some(size) if size <= super::LARGEST_BLOCK => Some(size),
            _ => {
                self.unsupported(call.here, format!("`{}` of elements of unknown or large size", call.name));
                None
            }
        }
    }

    /// Comparison functions get two pointers and return an `int`. Those with another number of parameters are an event.
    fn check_comparison(&mut self, call: &Call<'_>, n: usize) -> Option<()> {
        for case in &call.pointer(n).cases {
            let Base::Function(func) = case.base else { continue };
            let function = &self.module.functions[func];
            let pointers = function.params.iter().all(|param| param.ty == Ty::Ptr);
            if function.params.len() == 2 && !(pointers && function.ret == Some(Ty::I32)) {
                let what = format!("`{}` with a comparison function of another type", call.name);
                self.unsupported(call.here, what);
                return None;
            }
        }
        Some(())
    }
}
