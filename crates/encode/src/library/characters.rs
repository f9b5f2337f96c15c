//! The functions and tables of `ctype.h`.

use std::rc::Rc;

use quipu_interp::{character_classes, character_table};
use quipu_ir::{Event, Ty};
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp, Width};

use super::{Call, Called};
use crate::content::{Background, Content, Stretch};
use crate::encoder::{Engine, Here};
use crate::memory::{ObjectInfo, ObjectKind};
use crate::pointer::{Base, Pointer};
use crate::symbol::Symbol;

impl Engine<'_> {
    /// The functions and tables of `ctype.h`.
    pub(super) fn character_function(&mut self, call: &Call<'_>) -> Called {
        let (name, here) = (call.name, call.here);
        if let ([Symbol::Int(character)], Some(values)) = (call.args, character_classes(name)) {
            return Some(Some(self.classify(here, *character, &values)));
        }
        match (name, call.args) {
            ("tolower" | "_tolower", [Symbol::Int(character)]) => {
                Some(Some(self.shifted(*character, b'A', b'Z', 32)))
            }
            ("toupper" | "_toupper", [Symbol::Int(character)]) => {
                Some(Some(self.shifted(*character, b'a', b'z', -32)))
            }
            ("isascii", [Symbol::Int(character)]) => {
                let limit = self.terms.constant(self.terms.width(*character), 128);
                let below = self.terms.compare(IntCmp::Ult, *character, limit);
                Some(Some(Symbol::Int(self.terms.resize(below, call.width(), false))))
            }
            ("toascii", [Symbol::Int(character)]) => {
                let mask = self.terms.constant(self.terms.width(*character), 127);
                Some(Some(Symbol::Int(self.terms.op(IntOp::And, *character, mask))))
            }
            (_, []) if call.ret == Some(Ty::Ptr) && character_table(name).is_some() => {
                let bytes = character_table(name).expect("it was just asked for");
                Some(Some(self.table_pointer(bytes)))
            }
            _ => self.math_function(call),
        }
    }

    /// A value for each character from -128 to 255.
    fn classify(&mut self, here: Here, character: Term, values: &[u64]) -> Symbol {
        let width = self.terms.width(character);
        let first = self.terms.constant(width, 128u64.wrapping_neg());
        let index = self.terms.op(IntOp::Sub, character, first);
        let last = self.terms.constant(width, 383);
        let known = self.terms.compare(IntCmp::Ule, index, last);
        self.check(here, known, Event::OutOfBounds);
        let items: Vec<Term> = values.iter().map(|&value| self.terms.constant(Width::W32, value)).collect();
        Symbol::Int(self.terms.element(index, &items))
    }

    /// Characters of a range, moved.
    fn shifted(&mut self, character: Term, low: u8, high: u8, by: i64) -> Symbol {
        let width = self.terms.width(character);
        let low = self.terms.constant(width, u64::from(low));
        let high = self.terms.constant(width, u64::from(high));
        let above = self.terms.compare(IntCmp::Sle, low, character);
        let below = self.terms.compare(IntCmp::Sle, character, high);
        let inside = self.terms.both(above, below);
        let by = self.terms.constant(width, by.cast_unsigned());
        let moved = self.terms.add(character, by);
        Symbol::Int(self.terms.select(inside, moved, character))
    }

    /// A pointer to a pointer to entry 0 of a table of the characters from -128 to 255.
    fn table_pointer(&mut self, bytes: Vec<u8>) -> Symbol {
        let size = bytes.len() as u64;
        let table = self.add_object(ObjectInfo::new(size, ObjectKind::Constant));
        let content = Content::new(&mut self.terms, Background::Bytes(Rc::new(bytes)));
        self.state.memory.set(table, Rc::new(content));
        let zero_entry = self.terms.constant(self.address, size / 3);
        let inner = Pointer::to(&mut self.terms, Base::Object(table), zero_entry);
        let place = self.new_place(self.module.data_model.pointer_size());
        let Base::Object(object) = place.pointer().cases[0].base else { unreachable!("it is an object") };
        let always = self.terms.truth(true);
        let stretch = Stretch { at: 0, bits: self.address.bits(), ty: Ty::Ptr, address: self.address };
        let terms = &mut self.terms;
        if let Some(content) = self.state.memory.change(object) {
            content.write(terms, stretch, always, &Symbol::Pointer(Rc::new(inner)), always);
        }
        place
    }
}
