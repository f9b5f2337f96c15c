//! The heap.

use std::rc::Rc;

use quipu_analysis::points_to;
use quipu_inputs::{Assumption, Maker};
use quipu_interp::InputKind;
use quipu_ir::{Event, Ty};
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp, Width};

use super::{Call, Called, LARGEST_BLOCK};
use crate::access::MIXED;
use crate::content::{Background, Content, Stretch};
use crate::encoder::{Engine, Here};
use crate::memory::{ObjectId, ObjectInfo, ObjectKind, Source};
use crate::pointer::{Base, Pointer};
use crate::progression::progression;
use crate::symbol::Symbol;

/// What `errno` says when there is no memory.
const ENOMEM: u64 = 12;

/// The largest block whose size depends on inputs.
const LARGEST_COMPUTED: u64 = 1 << 10;
/// The same where an encoding is loose: pointers that move further have left their object.
const LARGEST_LOOSE: u64 = i32::MAX as u64;

const UNKNOWN_FREED: &str = "`free` of an unknown pointer";

impl Engine<'_> {
    /// `malloc` and its relatives.
    pub(super) fn allocate(&mut self, call: &Call<'_>, size: Term, background: Background) -> Called {
        let object = self.new_block(call.here, size, background)?;
        let block = self.block_pointer(object);
        Some(Some(self.unless_refused(call, &block)))
    }

    /// A new block, or null if the allocation fails.
    fn unless_refused(&mut self, call: &Call<'_>, block: &Symbol) -> Symbol {
        let refused = self.refusal(call);
        let null = self.no_block();
        Symbol::select(&mut self.terms, refused, &null, block)
    }

    /// Before the call nothing was allocated.
    pub(crate) fn count_allocations(&mut self, count: ObjectId) {
        let content = Content::new(&mut self.terms, Background::Bytes(Rc::default()));
        self.state.memory.set(count, Rc::new(content));
    }

    /// Whether an allocation fails: an input, for the first ones of a run.
    fn refusal(&mut self, call: &Call<'_>) -> Term {
        let never = self.terms.truth(false);
        let most = self.interface.failing;
        if self.assuming {
            return never;
        }
        let maker = if self.interface.failing_stated { Maker::User } else { Maker::Environment };
        let trusted = self.take_for_granted(Assumption::FailingAllocations { most, maker });
        let late = self.late_refusal(trusted);
        if most == 0 {
            return late;
        }
        let count = self.library.allocations;
        let stretch = Stretch { at: 0, bits: 8, ty: Ty::I8, address: self.address };
        let content = self.content(count);
        let asked = content.read(&mut self.terms, stretch).value.int();
        let limit = self.terms.constant(Width::W8, u64::from(most));
        let asks = self.terms.compare(IntCmp::Ult, asked, limit);
        let Some(state) = self.state_if(asks) else { return late };
        let before = std::mem::replace(&mut self.state, state);
        let name = &call.function.source_name;
        let answer = self.request(call.here, 0, name, Ty::BOOL, InputKind::Refusal).int();
        self.state = before;
        let one = self.terms.resize(asks, Width::W8, false);
        let more = Symbol::Int(self.terms.add(asked, one));
        let always = self.terms.truth(true);
        let mut content = (*content).clone();
        content.write(&mut self.terms, stretch, always, &more, always);
        self.state.memory.set(count, Rc::new(content));
        let refused = self.terms.both(asks, answer);
        let refused = self.terms.any(&[refused, late]);
        self.set_errno(ENOMEM, refused);
        refused
    }

    /// Whether an allocation fails although it is assumed that it does not.
    fn late_refusal(&mut self, trusted: Term) -> Term {
        if self.terms.is_true(trusted) {
            return self.terms.truth(false);
        }
        let doubted = self.terms.not(trusted);
        let fails = self.terms.unknown(Width::W1);
        self.terms.both(doubted, fails)
    }

    /// The bytes of so many elements; where the product overflows, a size that no block has.
    pub(super) fn total_size(&mut self, count: Term, size: Term) -> Term {
        let bytes = self.terms.op(IntOp::Mul, count, size);
        let largest = self.terms.constant(self.address, self.address.max_signed());
        let fits = match (self.terms.known(count), self.terms.known(size)) {
            (Some(0), _) | (_, Some(0)) => self.terms.truth(true),
            (Some(number), _) => self.is_at_most(size, self.address.mask() / number),
            (_, Some(number)) => self.is_at_most(count, self.address.mask() / number),
            // Larger factors make no block that exists, unless the other one is zero.
            _ => {
                let half = self.address.mask() >> (self.address.bits() / 2);
                let (few, small) = (self.is_at_most(count, half), self.is_at_most(size, half));
                let moderate = self.terms.both(few, small);
                let (no_element, no_size) = (self.terms.is(count, 0), self.terms.is(size, 0));
                self.terms.any(&[moderate, no_element, no_size])
            }
        };
        self.terms.select(fits, bytes, largest)
    }

    fn is_at_most(&mut self, number: Term, limit: u64) -> Term {
        let limit = self.terms.constant(self.terms.width(number), limit);
        self.terms.compare(IntCmp::Ule, number, limit)
    }

    fn block_pointer(&mut self, object: ObjectId) -> Symbol {
        let base = Base::Object(object);
        Symbol::Pointer(Rc::new(Pointer::start_of(&mut self.terms, base, self.address)))
    }

    /// A new block. None if no path goes on.
    pub(super) fn new_block(&mut self, here: Here, size: Term, background: Background) -> Option<ObjectId> {
        let extent = self.terms.known(size).is_none().then_some(size);
        let limit = match extent {
            Some(_) if self.unwinding.loose => LARGEST_LOOSE,
            Some(_) => LARGEST_COMPUTED,
            None => LARGEST_BLOCK,
        };
        let large = self.is_at_most(size, limit);
        let large = self.terms.not(large);
        self.cut_where(here, large, format!("a block of more than {limit} bytes"))?;
        let values = progression(self.terms.model, size);
        let size =
            if values.low < 0 { limit } else { limit.min(u64::try_from(values.high).unwrap_or(limit)) };
        let source = Source::Known(points_to::Object::Heap(here.site()));
        let align = 2 * self.module.data_model.pointer_size();
        let object =
            self.add_object(ObjectInfo { extent, align, source, ..ObjectInfo::new(size, ObjectKind::Heap) });
        let content = Content::new(&mut self.terms, background);
        self.state.memory.set(object, Rc::new(content));
        Some(object)
    }

    /// `realloc`: the block always moves, so that a use of the old pointer is noticed. Size zero frees, as in glibc.
    pub(super) fn reallocate(&mut self, call: &Call<'_>, size: Term) -> Called {
        let here = call.here;
        let old = self.not_null(call.pointer(0));
        let null = self.null_pointer(call.pointer(0));
        self.fork(
            null,
            |engine| engine.allocate(call, size, Background::Unwritten),
            |engine| {
                let nothing = engine.terms.is(size, 0);
                engine.fork(
                    nothing,
                    |engine| {
                        engine.free(here, &old)?;
                        Some(Some(engine.no_block()))
                    },
                    |engine| {
                        let old = engine.freeable(here, &old)?;
                        let block = engine.new_block(here, size, Background::Unwritten)?;
                        let refused = engine.refusal(call);
                        engine.fork(
                            refused,
                            |engine| Some(Some(engine.no_block())),
                            |engine| engine.move_block(here, &old, block),
                        )
                    },
                )
            },
        )
    }

    fn no_block(&mut self) -> Symbol {
        Symbol::nothing(&mut self.terms, Ty::Ptr, self.address)
    }

    /// Moves the content of a block to a new one.
    fn move_block(&mut self, here: Here, old: &Pointer, block: ObjectId) -> Called {
        self.end_block(here, old);
        let content = match self.unwinding.loose && self.holds_anything(old) {
            true => {
                self.terms.n_unknown += 1;
                Content::new(&mut self.terms, Background::Anything)
            }
            false => self.moved_content(here, old, block)?,
        };
        self.state.memory.set(block, Rc::new(content));
        Some(Some(self.block_pointer(block)))
    }

    /// Whether nobody knows what a block holds, or it is too large to look at.
    fn holds_anything(&self, pointer: &Pointer) -> bool {
        pointer.cases.iter().any(|case| match case.base {
            Base::Object(object) => self.objects[object].size > LARGEST_BLOCK,
            Base::Null | Base::Function(_) => false,
            Base::Unknown => true,
        })
    }

    /// What a new block holds of an old one.
    fn moved_content(&mut self, here: Here, old: &Pointer, block: ObjectId) -> Option<Content> {
        let mut content = Content::new(&mut self.terms, Background::Unwritten);
        for case in &old.cases {
            let Base::Object(object) = case.base else { continue };
            let before = self.content(object);
            let (old_size, most) = (self.extent(object), self.objects[object].size);
            for (start, end) in self.pieces(here, old_size, most)? {
                let end = end.min(self.objects[block].size);
                let reached = self.is_below(start, old_size);
                let when = self.terms.both(case.when, reached);
                self.noting(here, MIXED, |engine| {
                    content.copy(&mut engine.terms, start * 8, &before, (start * 8, end * 8), when);
                });
            }
        }
        Some(content)
    }

    /// `strdup`, `strndup`.
    pub(super) fn duplicate(&mut self, call: &Call<'_>, limit: Option<Term>) -> Called {
        let text = self.string_argument(call, 0, limit)?;
        let one = self.terms.constant(self.address, 1);
        let size = self.terms.add(text.length, one);
        let object = self.new_block(call.here, size, Background::Unwritten)?;
        let pointer = self.block_pointer(object);
        let view = self.view(call.here, pointer.pointer())?;
        let bytes = self.terminated(&text, limit.is_some());
        self.write_bytes(call.here, &view, &bytes)?;
        Some(Some(self.unless_refused(call, &pointer)))
    }

    /// Ends the life of the block that a pointer points to; null is no block.
    pub(super) fn free(&mut self, here: Here, pointer: &Pointer) -> Called {
        let pointer = self.freeable(here, pointer)?;
        self.end_block(here, &pointer);
        Some(None)
    }

    /// Demands that a pointer can be freed; what is known of it, or all of it where an encoding is loose.
    fn freeable(&mut self, here: Here, pointer: &Pointer) -> Option<Pointer> {
        if self.unwinding.loose && pointer.may_be_unknown() {
            self.leave_unchecked(here, UNKNOWN_FREED);
            return Some(pointer.clone());
        }
        let pointer = self.known_part(here, pointer)?;
        for case in &pointer.cases {
            let elsewhere = self.terms.not(case.when);
            let at_start = self.terms.is(case.offset, 0);
            let fine = self.terms.any(&[elsewhere, at_start]);
            match case.base {
                Base::Null => self.check(here, fine, Event::InvalidFree),
                Base::Object(object) if self.is_block(object) => {
                    self.check(here, fine, Event::InvalidFree);
                    let alive = self.content(object).alive;
                    let fine = self.terms.any(&[elsewhere, alive]);
                    self.check(here, fine, Event::DoubleFree);
                }
                _ => self.check(here, elsewhere, Event::InvalidFree),
            }
        }
        Some(pointer)
    }

    fn is_block(&self, object: ObjectId) -> bool {
        self.objects[object].kind == ObjectKind::Heap
    }

    fn end_block(&mut self, here: Here, pointer: &Pointer) {
        if pointer.may_be_unknown() {
            return self.end_any_block(here, UNKNOWN_FREED);
        }
        for case in &pointer.cases {
            let Base::Object(object) = case.base else { continue };
            if !self.is_block(object) {
                continue;
            }
            let elsewhere = self.terms.not(case.when);
            if let Some(content) = self.state.memory.change(object) {
                content.alive = self.terms.both(content.alive, elsewhere);
            }
        }
    }
}
