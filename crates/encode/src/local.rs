//! Local variables: each execution of a declaration begins a new life, in an object of its own.
//!
//! Which object is the present one depends on the path. So a slot has a *register*, an object that holds nothing but
//! the address of the present life, and that is joined where paths meet as all of memory is. Lives that begin in the
//! same turns of the loops around the declaration share an object, as no path has two of them.

use std::rc::Rc;

use quipu_analysis::points_to;
use quipu_ir::{Block, Slot, Ty};

use crate::content::{Background, Content, Stretch};
use crate::encoder::{Engine, Here};
use crate::frame::Frame;
use crate::memory::{ObjectId, ObjectInfo, ObjectKind, Source};
use crate::pointer::{self, Base, Pointer};
use crate::symbol::Symbol;

impl<'a> Engine<'a> {
    /// The address of a local variable, which comes to life if it is not alive.
    pub fn slot_address(&mut self, frame: &mut Frame<'a>, block: Block, slot: Slot) -> Symbol {
        let register = self.register(frame, slot);
        let present = self.state.memory.get(register).cloned();
        let Some(present) = present else {
            let object = self.life(frame, block, slot);
            return self.begin(register, object, None);
        };
        let pointer = self.register_value(&present);
        if self.terms.is_true(present.alive) {
            return Symbol::Pointer(pointer);
        }
        let object = self.life(frame, block, slot);
        self.begin(register, object, Some((&present, &pointer)))
    }

    /// Ends the life of a local variable.
    pub fn end_slot(&mut self, frame: &Frame<'a>, slot: Slot) {
        let Some(register) = frame.slots[slot] else { return };
        let Some(present) = self.state.memory.get(register).cloned() else { return };
        for case in &self.register_value(&present).cases {
            if let Base::Object(object) = case.base {
                self.state.memory.remove(object);
            }
        }
        self.state.memory.remove(register);
    }

    /// Ends the lives of all local objects of a function.
    pub fn end_locals(&mut self, frame: &Frame<'a>) {
        let registers = frame.slots.iter().flatten();
        for &object in registers.chain(frame.lives.values()).chain(&frame.allocas) {
            self.state.memory.remove(object);
        }
    }

    /// An object that dies with the function.
    pub fn new_alloca(&mut self, frame: &mut Frame<'a>, here: Here, size: u64, align: u64) -> Symbol {
        let source = Source::Known(points_to::Object::Alloca(here.site()));
        let info = ObjectInfo::new(size, ObjectKind::Local).aligned(align).from(source);
        let object = self.add_object(info);
        frame.allocas.push(object);
        let content = Content::new(&mut self.terms, Background::Unwritten);
        self.state.memory.set(object, Rc::new(content));
        self.start_of(object)
    }

    fn register(&mut self, frame: &mut Frame<'a>, slot: Slot) -> ObjectId {
        let info = ObjectInfo::new(u64::from(self.address.bits() / 8), ObjectKind::Register);
        *frame.slots[slot].get_or_insert_with(|| self.add_object(info.from(Source::Hidden)))
    }

    fn register_value(&mut self, register: &Content) -> Rc<Pointer> {
        let stretch = self.register_stretch();
        register.read(&mut self.terms, stretch).value.pointer().clone()
    }

    fn register_stretch(&self) -> Stretch {
        Stretch { at: 0, bits: self.address.bits(), ty: Ty::Ptr, address: self.address }
    }

    /// The object for a life that begins in a block.
    fn life(&mut self, frame: &mut Frame<'a>, block: Block, slot: Slot) -> ObjectId {
        let data = &frame.code.slots[slot];
        let source = Source::Known(points_to::Object::Slot(frame.func, slot));
        let info = ObjectInfo::new(data.size, ObjectKind::Local).aligned(data.align).from(source);
        let key = (slot, frame.life_context(block, slot));
        *frame.lives.entry(key).or_insert_with(|| self.add_object(info))
    }

    /// Begins a life in an object, on those paths where the variable is not alive.
    fn begin(
        &mut self,
        register: ObjectId,
        object: ObjectId,
        present: Option<(&Content, &Rc<Pointer>)>,
    ) -> Symbol {
        let mut content = match self.state.memory.get(object) {
            Some(content) => (**content).clone(),
            None => Content::new(&mut self.terms, Background::Unwritten),
        };
        content.begin(&mut self.terms);
        self.state.memory.set(object, Rc::new(content));
        let mut address = self.start_of(object);
        if let Some((register, pointer)) = present {
            let new = address.pointer().clone();
            address =
                Symbol::Pointer(Rc::new(pointer::select(&mut self.terms, register.alive, pointer, &new)));
        }
        let always = self.terms.truth(true);
        let mut content = Content::new(&mut self.terms, Background::Unwritten);
        let stretch = self.register_stretch();
        content.write(&mut self.terms, stretch, always, &address, always);
        self.state.memory.set(register, Rc::new(content));
        address
    }

    fn start_of(&mut self, object: ObjectId) -> Symbol {
        Symbol::Pointer(Rc::new(Pointer::start_of(&mut self.terms, Base::Object(object), self.address)))
    }
}
