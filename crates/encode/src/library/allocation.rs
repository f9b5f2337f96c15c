//! The heap.

use std::rc::Rc;

use quipu_analysis::points_to;
use quipu_ir::Event;
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp};

use super::{Call, Called, LARGEST_BLOCK};
use crate::access::MIXED;
use crate::content::{Background, Content};
use crate::encoder::{Engine, Here};
use crate::memory::{ObjectId, ObjectInfo, ObjectKind, Source};
use crate::pointer::{Base, Pointer};
use crate::progression::progression;
use crate::symbol::Symbol;

/// The largest block whose size depends on inputs.
const LARGEST_COMPUTED: u64 = 1 << 10;
/// The same where an encoding is loose: pointers that move further have left their object.
const LARGEST_LOOSE: u64 = i32::MAX as u64;

impl Engine<'_> {
    /// `malloc` and its relatives.
    pub(super) fn allocate(&mut self, here: Here, size: Term, background: Background) -> Called {
        let object = self.new_block(here, size, background)?;
        Some(Some(self.block_pointer(object)))
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
        self.out.granted.insert("allocations do not fail".to_string());
        let source = Source::Known(points_to::Object::Heap(here.site()));
        let align = 2 * self.module.data_model.pointer_size();
        let object = self.add_object(ObjectInfo { size, extent, kind: ObjectKind::Heap, align, source });
        let content = Content::new(&mut self.terms, background);
        self.state.memory.set(object, Rc::new(content));
        Some(object)
    }

    /// `realloc`: the block always moves, so that a use of the old pointer is noticed. Size zero frees, as in glibc.
    pub(super) fn reallocate(&mut self, call: &Call<'_>, size: Term) -> Called {
        let here = call.here;
        // What such a block holds, and whether it is null, nobody knows either.
        if call.pointer(0).may_be_unknown() {
            self.unsupported(here, "`realloc` of an unknown pointer");
            return None;
        }
        let old = self.not_null(call.pointer(0));
        let null = self.null_pointer(call.pointer(0));
        self.fork(
            null,
            |engine| engine.allocate(here, size, Background::Unwritten),
            |engine| {
                let nothing = engine.terms.is(size, 0);
                engine.fork(
                    nothing,
                    |engine| {
                        engine.free(here, &old)?;
                        let null = Pointer::null(&mut engine.terms, engine.address);
                        Some(Some(Symbol::Pointer(Rc::new(null))))
                    },
                    |engine| engine.move_block(here, &old, size),
                )
            },
        )
    }

    fn move_block(&mut self, here: Here, old: &Pointer, size: Term) -> Called {
        self.free(here, old)?;
        let block = self.new_block(here, size, Background::Unwritten)?;
        let mut content = Content::new(&mut self.terms, Background::Unwritten);
        for case in &old.cases {
            let Base::Object(object) = case.base else { continue };
            let before = self.content(object);
            let (old_size, most) = (self.extent(object), self.objects[object].size);
            if self.unwinding.loose && most > LARGEST_BLOCK {
                content = Content::new(&mut self.terms, Background::Anything);
                break;
            }
            for (start, end) in self.pieces(here, old_size, most)? {
                let end = end.min(self.objects[block].size);
                let reached = self.is_below(start, old_size);
                let when = self.terms.both(case.when, reached);
                self.noting(here, MIXED, |engine| {
                    content.copy(&mut engine.terms, start * 8, &before, (start * 8, end * 8), when);
                });
            }
        }
        self.state.memory.set(block, Rc::new(content));
        Some(Some(self.block_pointer(block)))
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
        Some(Some(pointer))
    }

    /// Ends the life of the block that a pointer points to; null is no block.
    pub(super) fn free(&mut self, here: Here, pointer: &Pointer) -> Called {
        if pointer.may_be_unknown() && self.unwinding.loose {
            self.end_any_block(here, "`free` of an unknown pointer");
            return Some(None);
        }
        for case in &self.known_part(here, pointer)?.cases {
            let elsewhere = self.terms.not(case.when);
            let at_start = self.terms.is(case.offset, 0);
            let fine = self.terms.any(&[elsewhere, at_start]);
            match case.base {
                Base::Null => self.check(here, fine, Event::InvalidFree),
                Base::Object(object) if self.objects[object].kind == ObjectKind::Heap => {
                    self.check(here, fine, Event::InvalidFree);
                    let alive = self.content(object).alive;
                    let fine = self.terms.any(&[elsewhere, alive]);
                    self.check(here, fine, Event::DoubleFree);
                    let alive = self.terms.both(alive, elsewhere);
                    if let Some(content) = self.state.memory.change(object) {
                        content.alive = alive;
                    }
                }
                _ => self.check(here, elsewhere, Event::InvalidFree),
            }
        }
        Some(None)
    }
}
