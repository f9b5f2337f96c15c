//! What the library remembers between calls, in objects to which no pointer of the program leads.

use std::rc::Rc;

use quipu_ir::Ty;
use quipu_model::Term;

use crate::content::{Background, Content, Stretch};
use crate::encoder::{Engine, Here};
use crate::memory::ObjectId;
use crate::symbol::Symbol;

impl Engine<'_> {
    /// What an object of the library holds before the call: these bytes, and zeros behind them.
    pub(super) fn remember(&mut self, object: ObjectId, bytes: Vec<u8>) {
        let content = Content::new(&mut self.terms, Background::Bytes(Rc::new(bytes)));
        self.state.memory.set(object, Rc::new(content));
    }

    /// The value at a byte of such an object.
    pub(super) fn recall(&mut self, here: Here, object: ObjectId, byte: u64, ty: Ty) -> Symbol {
        let stretch = self.hidden_stretch(byte, ty);
        let content = self.content(object);
        let read = |engine: &mut Self| content.read(&mut engine.terms, stretch).value;
        self.noting(here, "what the library remembers", read)
    }

    /// Changes such a value where a condition is true.
    pub(super) fn note_down(&mut self, object: ObjectId, byte: u64, ty: Ty, when: Term, value: &Symbol) {
        let stretch = self.hidden_stretch(byte, ty);
        let always = self.terms.truth(true);
        let mut content = (*self.content(object)).clone();
        content.write(&mut self.terms, stretch, when, value, always);
        self.state.memory.set(object, Rc::new(content));
    }

    fn hidden_stretch(&self, byte: u64, ty: Ty) -> Stretch {
        let bits = ty.width().unwrap_or(self.address).bits();
        Stretch { at: byte * 8, bits, ty, address: self.address }
    }

    /// Whether runs start where the program starts.
    pub(crate) fn starts_program(&self) -> bool {
        self.module.functions[self.interface.func].source_name == "main"
    }

    /// Whether the program uses a function of the library anywhere.
    pub(super) fn uses(&self, name: &str) -> bool {
        let mut functions = self.module.functions.iter();
        functions.any(|function| function.source_name == name && function.code().is_none())
    }
}
