//! Addresses as numbers.
//!
//! Nobody knows where a compiler or an allocator puts an object, so the start of each is an unknown number, of which
//! nothing is taken for granted but that it is aligned and not near null. What a program does with the bits of an
//! address is computed from there, so that a tag put into a pointer is taken out again.

use std::ops::Range;
use std::rc::Rc;

use quipu_base::{Id, IdVec};
use quipu_model::{Reading, Role, Term, VarInfo};
use quipu_num::{IntOp, Width};
use rustc_hash::FxHashMap;

use crate::bounds::is_far_from_null;
use crate::memory::ObjectId;
use crate::pointer::{Base, Case, Pointer};
use crate::progression::progression;
use crate::symbol::Symbol;
use crate::terms::Terms;

/// The numbers that stand for addresses in an encoding.
#[derive(Default)]
pub(crate) struct Addresses {
    /// What the start of each object is a multiple of.
    aligns: IdVec<ObjectId, u64>,
    starts: FxHashMap<Base, Term>,
    /// The addresses that the program names by numbers.
    pub devices: Vec<Range<u64>>,
    /// The pointers whose addresses these numbers are.
    pointers: FxHashMap<Term, Rc<Pointer>>,
}

impl Addresses {
    /// Takes note of the next object.
    pub fn add(&mut self, object: ObjectId, align: u64) {
        debug_assert!(object.index() == self.aligns.len(), "objects are noted in their order");
        self.aligns.push(align.max(1));
    }

    fn align(&self, base: Base) -> u64 {
        match base {
            Base::Object(object) => self.aligns[object],
            Base::Null | Base::Function(_) | Base::Unknown => 1,
        }
    }
}

impl Terms<'_> {
    /// The address of what a pointer without an offset points to.
    pub fn start_address(&mut self, base: Base, address: Width) -> Term {
        if matches!(base, Base::Null | Base::Unknown) {
            return self.constant(address, 0);
        }
        self.n_unknown += 1;
        if let Some(&start) = self.addresses.starts.get(&base) {
            return start;
        }
        let align = self.addresses.align(base);
        let last = match address {
            Width::W64 => address.max_signed(),
            _ => address.mask(),
        };
        let range = Some((FIRST_ADDRESS.div_ceil(align), last / align));
        let name = format!("address{}", self.model.vars().len());
        let var = self.model.add_var(VarInfo {
            name,
            width: address,
            reading: Reading::Unsigned,
            range,
            role: Role::Local,
        });
        let number = self.model.var_term(var);
        let align = self.constant(address, align);
        let start = self.op(IntOp::Mul, number, align);
        self.addresses.starts.insert(base, start);
        start
    }

    /// The address that a pointer is.
    pub fn address_of(&mut self, pointer: &Rc<Pointer>) -> Term {
        let mut number: Option<Term> = None;
        for case in pointer.cases.iter().rev() {
            let start = self.start_address(case.base, self.width(case.offset));
            let here = self.add(start, case.offset);
            number = Some(number.map_or(here, |rest| self.select(case.when, here, rest)));
        }
        let number = number.expect("a pointer has a case");
        let is_object = |base| matches!(base, Base::Object(_) | Base::Function(_));
        let leads_somewhere = pointer.cases.iter().any(|case| is_object(case.base));
        let is_new = !self.addresses.pointers.contains_key(&number);
        if leads_somewhere && !pointer.may_be_unknown() && is_new {
            let whole = self.with_all_cases(pointer);
            self.addresses.pointers.insert(number, whole);
        }
        number
    }

    /// The pointer, in its last case wherever it is in no other one. A number may turn up on other paths than those for
    /// which the cases were made.
    fn with_all_cases(&mut self, pointer: &Rc<Pointer>) -> Rc<Pointer> {
        let Some((last, others)) = pointer.cases.split_last() else { return pointer.clone() };
        let conditions: Vec<Term> = others.iter().map(|case| case.when).collect();
        let any = self.any(&conditions);
        let when = self.not(any);
        let last = Case { when, ..last.clone() };
        Rc::new(Pointer { cases: others.iter().cloned().chain([last]).collect() })
    }

    /// The pointer with an address: to no object if that is known, else to whatever is there.
    pub fn pointer_at(&mut self, number: Term) -> Symbol {
        if let Some(pointer) = self.addresses.pointers.get(&number) {
            return Symbol::Pointer(pointer.clone());
        }
        let base = if self.is_no_object(number) { Base::Null } else { Base::Unknown };
        Symbol::Pointer(Rc::new(Pointer::to(self, base, number)))
    }
}

impl Terms<'_> {
    /// Whether a number is the address of no object of the program: it is near null, or a device has it.
    fn is_no_object(&self, number: Term) -> bool {
        let width = self.width(number);
        match self.known(number) {
            Some(known) => {
                let is_device = self.addresses.devices.iter().any(|block| block.contains(&known));
                is_device || !is_far_from_null(known, width)
            }
            None if self.addresses.devices.is_empty() => false,
            None => {
                let values = progression(self.model, number);
                let high = u64::try_from(values.high);
                values.low >= 0 && high.is_ok_and(|high| !is_far_from_null(high, width))
            }
        }
    }
}

/// No object has an address below.
const FIRST_ADDRESS: u64 = 4096;
