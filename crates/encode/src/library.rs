//! Library functions, as far as they have a model with terms.

use std::rc::Rc;

use quipu_interp::{InputKind, character_classes, character_table, stream_argument};
use quipu_ir::{Event, Function, Ty};
use quipu_model::Term;
use quipu_num::{Guard, IntCmp, IntOp, Width};

use crate::access::BYTE;
use crate::block::Flow;
use crate::content::{Background, Content, Stretch};
use crate::encoder::{Engine, Here};
use crate::memory::{ObjectInfo, ObjectKind};
use crate::pointer::{Base, Pointer};
use crate::symbol::Symbol;

/// A call's result: none if it does not come back, else its value if it has one.
pub(crate) type Called = Option<Option<Symbol>>;

/// The largest block that is filled or allocated.
const LARGEST_BLOCK: u64 = 1 << 12;

impl Engine<'_> {
    /// Calls a library function by its name in the source.
    pub fn library(
        &mut self,
        here: Here,
        function: &Function,
        args: &[Symbol],
        wanted: Option<Ty>,
    ) -> Called {
        let (name, ty) = (function.source_name.as_str(), function.ret);
        if let Some(Symbol::Pointer(stream)) = stream_argument(name).and_then(|n| args.get(n)) {
            self.check_not_null(here, &stream.clone());
        }
        let result = self.library_result(here, name, args, ty)?;
        Some(result.filter(|_| wanted.is_some()))
    }

    fn library_result(&mut self, here: Here, name: &str, args: &[Symbol], ty: Option<Ty>) -> Called {
        let plain =
            ["__builtin_", "__isoc99_", "__isoc23_"].iter().find_map(|prefix| name.strip_prefix(prefix));
        match (plain.unwrap_or(name), args) {
            ("exit" | "_exit" | "_Exit" | "quick_exit", _) => None,
            (
                "abort"
                | "trap"
                | "__assert_fail"
                | "__assert"
                | "__assert_perror_fail"
                | "__VERIFIER_error"
                | "reach_error",
                _,
            ) => {
                let never = self.terms.truth(false);
                self.demand(here, never, None);
                None
            }
            ("__VERIFIER_assert", [condition]) => {
                let holds = self.is_nonzero(condition);
                self.demand(here, holds, None);
                self.state = self.state_if(holds)?;
                Some(None)
            }
            ("assume" | "__VERIFIER_assume", [condition]) => {
                let holds = self.is_nonzero(condition);
                self.assume(holds);
                self.state = self.state_if(holds)?;
                Some(ty.map(|ty| Symbol::nothing(&mut self.terms, ty, self.address)))
            }
            ("abs" | "labs" | "llabs" | "imaxabs", [value]) => Some(Some(self.absolute(here, value))),
            ("getchar" | "getc" | "fgetc" | "getchar_unlocked" | "getc_unlocked" | "_IO_getc", _) => {
                Some(Some(self.read_byte(here, name)))
            }
            ("rand" | "random", []) => Some(Some(self.random(here, name, ty?))),
            ("srand" | "srandom" | "sleep" | "usleep" | "fflush", _) => {
                Some(ty.map(|ty| Symbol::nothing(&mut self.terms, ty, self.address)))
            }
            ("time", [place]) if self.is_null(place) => {
                Some(Some(self.request(here, 0, name, ty?, InputKind::Environment)))
            }
            ("clock", []) => Some(Some(self.request(here, 0, name, ty?, InputKind::Environment))),
            ("printf" | "puts" | "putchar" | "fprintf" | "fputs" | "fputc" | "putc" | "perror", _) => {
                Some(ty.map(|ty| self.made_up(here, "the result of an output function", ty)))
            }
            ("scanf", [format, values]) => self.scan(here, name, format, values),
            ("memcpy", [dst, src, size]) => self.copy_block(here, dst, src, size, false),
            ("memmove", [dst, src, size]) => self.copy_block(here, dst, src, size, true),
            ("memset", [dst, byte, size]) => self.fill_block(here, dst, byte, size),
            ("malloc", [size]) => self.allocate(here, size, Background::Unwritten),
            ("calloc", [count, size]) => {
                let fits = self.terms.guard(Guard::MulFits(self.address), count.int(), size.int());
                let bytes = self.terms.op(IntOp::Mul, count.int(), size.int());
                let fits = self.terms.is_true(fits);
                let bytes = if fits { bytes } else { self.terms.constant(self.address, u64::MAX) };
                self.allocate(here, &Symbol::Int(bytes), Background::Bytes(Rc::default()))
            }
            ("free", [pointer]) => self.free(here, pointer.pointer()),
            (plain, _) => self.character_function(here, plain, args, ty),
        }
    }

    fn is_nonzero(&mut self, value: &Symbol) -> Term {
        let zero = self.terms.is(value.int(), 0);
        self.terms.not(zero)
    }

    /// A clean run does not use a null pointer here.
    fn check_not_null(&mut self, here: Here, pointer: &Pointer) {
        for case in pointer.cases.iter().filter(|case| case.base == Base::Null) {
            let at_start = self.terms.is(case.offset, 0);
            let null = self.terms.both(case.when, at_start);
            let fine = self.terms.not(null);
            self.check(here, fine, Event::NullAccess);
        }
    }

    fn is_null(&self, pointer: &Symbol) -> bool {
        matches!(&pointer.pointer().cases[..], [only]
            if only.base == Base::Null && self.terms.known(only.offset) == Some(0))
    }

    fn made_up(&mut self, here: Here, what: &str, ty: Ty) -> Symbol {
        let address = self.address;
        self.noting(here, what, |engine| Symbol::unknown(&mut engine.terms, ty, address))
    }

    fn absolute(&mut self, here: Here, value: &Symbol) -> Symbol {
        let value = value.int();
        let width = self.terms.width(value);
        let zero = self.terms.constant(width, 0);
        let fits = self.terms.guard(Guard::SubFits(width), zero, value);
        self.check(here, fits, Event::SignedOverflow);
        let negative = self.terms.compare(IntCmp::Slt, value, zero);
        let negated = self.terms.op(IntOp::Sub, zero, value);
        Symbol::Int(self.terms.select(negative, negated, value))
    }

    fn random(&mut self, here: Here, name: &str, ty: Ty) -> Symbol {
        let value = self.request(here, 0, name, Ty::I32, InputKind::Environment).int();
        let mask = self.terms.constant(Width::W32, 0x7fff_ffff);
        let value = self.terms.op(IntOp::And, value, mask);
        Symbol::Int(self.terms.resize(value, ty.width().expect("a number is returned"), false))
    }

    fn known_size(&mut self, here: Here, size: &Symbol) -> Option<u64> {
        let known = self.terms.known(size.int());
        match known {
            Some(size) if size <= LARGEST_BLOCK => return known,
            Some(size) => self.unsupported(here, format!("a block of {size} bytes")),
            None => self.unsupported(here, "a block of memory whose size depends on inputs"),
        }
        None
    }

    fn copy_block(&mut self, here: Here, dst: &Symbol, src: &Symbol, size: &Symbol, overlap: bool) -> Called {
        let size = self.known_size(here, size)?;
        match self.copy(here, dst.pointer(), src.pointer(), size, overlap) {
            Flow::On => Some(Some(dst.clone())),
            Flow::Stopped => None,
        }
    }

    fn fill_block(&mut self, here: Here, dst: &Symbol, byte: &Symbol, size: &Symbol) -> Called {
        let size = self.known_size(here, size)?;
        let byte = self.terms.resize(byte.int(), BYTE, false);
        let content = self.filled(byte, size);
        match self.put(here, dst.pointer(), &content, size) {
            Flow::On => Some(Some(dst.clone())),
            Flow::Stopped => None,
        }
    }

    fn filled(&mut self, byte: Term, size: u64) -> Content {
        if let Some(byte) = self.terms.known(byte) {
            let bytes = vec![byte as u8; size as usize];
            return Content::new(&mut self.terms, Background::Bytes(Rc::new(bytes)));
        }
        let mut content = Content::new(&mut self.terms, Background::Unwritten);
        let always = self.terms.truth(true);
        for n in 0..size {
            let stretch = Stretch { at: n * 8, bits: 8, ty: Ty::I8, address: self.address };
            content.write(&mut self.terms, stretch, always, &Symbol::Int(byte), always);
        }
        content
    }

    fn allocate(&mut self, here: Here, size: &Symbol, background: Background) -> Called {
        let size = self.known_size(here, size)?;
        self.out.granted.insert("allocations do not fail".to_string());
        let object = self.objects.push(ObjectInfo::new(size, ObjectKind::Heap));
        let content = Content::new(&mut self.terms, background);
        self.state.memory.set(object, Rc::new(content));
        let base = Base::Object(object);
        Some(Some(Symbol::Pointer(Rc::new(Pointer::start_of(&mut self.terms, base, self.address)))))
    }

    /// Ends the life of the block that a pointer points to; null is no block.
    fn free(&mut self, here: Here, pointer: &Pointer) -> Called {
        if pointer.may_be_unknown() {
            self.unsupported(here, "`free` of an unknown pointer");
            return None;
        }
        for case in &pointer.cases {
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

    /// The functions and tables of `ctype.h`.
    fn character_function(&mut self, here: Here, name: &str, args: &[Symbol], ty: Option<Ty>) -> Called {
        if let ([character], Some(values)) = (args, character_classes(name)) {
            return Some(Some(self.classify(here, character.int(), &values)));
        }
        match (name, args) {
            ("tolower" | "_tolower", [character]) => {
                Some(Some(self.shifted(character.int(), b'A', b'Z', 32)))
            }
            ("toupper" | "_toupper", [character]) => {
                Some(Some(self.shifted(character.int(), b'a', b'z', -32)))
            }
            (_, []) if ty == Some(Ty::Ptr) && character_table(name).is_some() => {
                let bytes = character_table(name).expect("it was just asked for");
                Some(Some(self.table_pointer(bytes)))
            }
            _ => {
                self.unsupported(here, format!("the library function `{name}`"));
                None
            }
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
        let table = self.objects.push(ObjectInfo::new(size, ObjectKind::Constant));
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
