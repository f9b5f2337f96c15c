//! Reads and writes through pointers.

use std::rc::Rc;

use quipu_interp::InputKind;
use quipu_ir::{Event, Ty};
use quipu_model::{Node, Term};
use quipu_num::{IntCmp, IntOp, Width};

use crate::block::Flow;
use crate::content::{Background, Content, Read, Stretch, stored};
use crate::encoder::{Engine, Here};
use crate::few_values::few_values;
use crate::log::{Grid, Logged, pick};
use crate::memory::{ObjectId, ObjectKind};
use crate::overlap::Kind;
use crate::pointer::{self, Base, Case, Pointer};
use crate::progression::progression;
use crate::symbol::Symbol;
use crate::targets::known_cases;

/// An access with more possible places is not modelled, unless writes to the object are kept.
const MOST_PLACES: usize = 2048;
/// So many places are looked at one by one.
const FEW_PLACES: u64 = 64;
/// A table with more different items is not looked into at a computed place.
const MOST_ITEMS: u64 = 1 << 16;
/// So many bytes whose values are not specified are kept apart.
const MOST_UNSPECIFIED: u64 = 256;

/// A part of an object that an access may mean.
struct Target {
    /// Whether the pointer points to this object.
    when: Term,
    object: ObjectId,
    places: Places,
}

/// The offsets in bytes that an access may have.
#[derive(Clone, PartialEq)]
pub(crate) enum Places {
    One(u64),
    /// Too many to look at each of them.
    Far {
        offset: Term,
        places: Grid,
    },
    /// `index` is n for the n-th offset.
    Many {
        index: Term,
        offsets: Vec<u64>,
    },
}

impl Places {
    pub fn count(&self) -> u64 {
        match self {
            Places::One(_) => 1,
            Places::Far { places, .. } => places.count(),
            Places::Many { offsets, .. } => offsets.len() as u64,
        }
    }
}

/// What an access wants.
#[derive(Clone, Copy)]
struct Wanted {
    /// In bytes.
    size: u64,
    align: u32,
    write: bool,
    /// Whether it is one number, which may be in any of very many places.
    number: bool,
}

impl Engine<'_> {
    /// The value of a type at a pointer; anything where nobody knows what that points to.
    pub fn load(&mut self, here: Here, pointer: &Pointer, ty: Ty, bits: u32, bit: u32, align: u32) -> Symbol {
        let Some(unknown) = pointer.cases.iter().find(|case| case.base == Base::Unknown) else {
            return self.load_known(here, pointer, ty, bits, bit, align);
        };
        let anything = self.unknown_value(here, UNKNOWN_ACCESS, ty);
        let elsewhere = self.terms.not(unknown.when);
        let Some(state) = self.state_if(elsewhere) else { return anything };
        let before = std::mem::replace(&mut self.state, state);
        let value = self.load_known(here, &known_cases(pointer), ty, bits, bit, align);
        self.state = before;
        Symbol::select(&mut self.terms, unknown.when, &anything, &value)
    }

    /// What a read of a volatile object gives: an answer of the environment, if the access is a good one.
    pub fn load_volatile(
        &mut self,
        here: Here,
        pointer: &Pointer,
        ty: Ty,
        bits: u32,
        bit: u32,
        align: u32,
    ) -> Symbol {
        let size = u64::from((bit + bits).div_ceil(8));
        let wanted = Wanted { size, align, write: false, number: is_whole(bit, bits) };
        if pointer.may_be_unknown() {
            self.leave_unchecked(here, UNKNOWN_ACCESS);
        }
        if let Err(what) = self.targets(here, &known_cases(pointer), wanted) {
            self.leave_unchecked(here, what);
        }
        self.request(here, 0, VOLATILE, ty, InputKind::Volatile)
    }

    fn load_known(
        &mut self,
        here: Here,
        pointer: &Pointer,
        ty: Ty,
        bits: u32,
        bit: u32,
        align: u32,
    ) -> Symbol {
        let size = u64::from((bit + bits).div_ceil(8));
        let number = is_whole(bit, bits);
        let targets = match self.targets(here, pointer, Wanted { size, align, write: false, number }) {
            Ok(targets) => targets,
            Err(what) => return self.unknown_value(here, what, ty),
        };
        let shape = Stretch { at: u64::from(bit), bits, ty, address: self.address };
        let mut found: Option<Read> = None;
        for target in targets.iter().rev() {
            let read = self.noting(here, MIXED, |engine| engine.read(target, shape));
            found = Some(match found {
                None => read,
                Some(rest) => self.noting(here, MIXED, |engine| engine.either(target.when, &read, &rest)),
            });
        }
        let Some(Read { value, written }) = found else {
            return Symbol::nothing(&mut self.terms, ty, self.address);
        };
        // What is read beyond the assumed end of an object is not known to be unwritten.
        let away = self.escaped();
        let fine = self.terms.any(&[written, away]);
        self.if_written(here, fine, value, ty)
    }

    fn unknown_value(&mut self, here: Here, what: &str, ty: Ty) -> Symbol {
        self.approximate(here, what);
        self.leave_unchecked(here, what);
        Symbol::unknown(&mut self.terms, ty, self.address)
    }

    fn either(&mut self, when: Term, a: &Read, b: &Read) -> Read {
        let value = Symbol::select(&mut self.terms, when, &a.value, &b.value);
        Read { value, written: self.terms.select(when, a.written, b.written) }
    }

    fn read(&mut self, target: &Target, shape: Stretch) -> Read {
        let content = self.content(target.object);
        if self.unwinding.loose
            && let Some(read) = self.read_loosely(&content, &target.places, shape)
        {
            return read;
        }
        let at = |offset: u64| Stretch { at: offset * 8 + shape.at, ..shape };
        match &target.places {
            Places::One(offset) => content.read(&mut self.terms, at(*offset)),
            Places::Many { index, offsets } => {
                let reads: Vec<Read> =
                    offsets.iter().map(|&offset| content.read(&mut self.terms, at(offset))).collect();
                pick(&mut self.terms, *index, &reads)
            }
            Places::Far { offset, places } => content.read_far(&mut self.terms, *offset, shape, places),
        }
    }

    /// Writes a value at a pointer.
    #[allow(clippy::too_many_arguments)]
    pub fn store(
        &mut self,
        here: Here,
        pointer: &Pointer,
        ty: Ty,
        bits: u32,
        bit: u32,
        value: &Symbol,
        align: u32,
    ) -> Flow {
        let pointer = match self.followed(here, pointer) {
            Ok(known) => known,
            Err(flow) => return flow,
        };
        let size = u64::from((bit + bits).div_ceil(8));
        let number = is_whole(bit, bits);
        let targets = match self.targets(here, &pointer, Wanted { size, align, write: true, number }) {
            Ok(targets) => targets,
            Err(what) => return self.write_anywhere(here, what),
        };
        let always = self.terms.truth(true);
        for target in &targets {
            let mut content = self.take_content(target.object);
            if let Places::Far { offset, .. } = target.places {
                let value = stored(&mut self.terms, value, bits);
                let (written, when) = (always, target.when);
                let changed = Rc::make_mut(&mut content);
                changed.note(&self.terms, Logged { offset, size, value, written, when });
                let object_size = self.objects[target.object].size;
                self.noting(here, MIXED, |engine| changed.shorten(&mut engine.terms, object_size));
                self.state.memory.set(target.object, content);
                self.changed(target.object, Kind::of(ty), target.when);
                continue;
            }
            self.each_place(target, |engine, offset, when| {
                let at = offset * 8 + u64::from(bit);
                let stretch = Stretch { at, bits, ty, address: engine.address };
                engine.noting(here, MIXED, |engine| {
                    let content = Rc::make_mut(&mut content);
                    content.write(&mut engine.terms, stretch, when, value, always);
                });
            });
            self.state.memory.set(target.object, content);
            self.changed(target.object, Kind::of(ty), target.when);
        }
        Flow::On
    }

    /// Copies bytes between objects. Two stretches of one object may overlap only if they are the same, unless it is
    /// said that they may.
    pub fn copy(&mut self, here: Here, dst: &Pointer, src: &Pointer, size: u64, overlap: bool) -> Flow {
        if size == 0 {
            return Flow::On;
        }
        let (src, dst) = match (self.followed(here, src), self.followed(here, dst)) {
            (Ok(src), Ok(dst)) => (src, dst),
            (Err(flow), _) | (_, Err(flow)) => return flow,
        };
        let sources = match self.targets(here, &src, Wanted { size, align: 1, write: false, number: false }) {
            Ok(sources) => sources,
            Err(what) => return self.write_anywhere(here, what),
        };
        let mut copied = Content::new(&mut self.terms, Background::Unwritten);
        for target in &sources {
            let content = self.content(target.object);
            self.each_place(target, |engine, offset, when| {
                let source = (offset * 8, (offset + size) * 8);
                engine.noting(here, MIXED, |engine| {
                    copied.copy(&mut engine.terms, 0, &content, source, when);
                });
            });
        }
        let flow = self.put(here, &dst, &copied, size);
        if !overlap {
            let apart = self.are_apart(&dst, &src, size);
            self.check(here, apart, Event::OverlappingCopy);
        }
        flow
    }

    /// Whether stretches of memory are the same or have nothing in common.
    fn are_apart(&mut self, a: &Pointer, b: &Pointer, size: u64) -> Term {
        let overlap = pointer::by_base(&mut self.terms, a, b, |terms, _, x, y| {
            let size = terms.constant(terms.width(x), size);
            let (there, back) = (terms.op(IntOp::Sub, x, y), terms.op(IntOp::Sub, y, x));
            let near = [terms.compare(IntCmp::Ult, there, size), terms.compare(IntCmp::Ult, back, size)];
            let near = terms.any(&near);
            let same = terms.equal(x, y);
            let differ = terms.not(same);
            terms.both(near, differ)
        });
        self.terms.not(overlap)
    }

    /// Sets bytes to zero.
    pub fn zero(&mut self, here: Here, dst: &Pointer, size: u64) -> Flow {
        let zeros = Content::new(&mut self.terms, Background::Bytes(Rc::default()));
        self.put(here, dst, &zeros, size)
    }

    /// Gives bytes values that nobody knows.
    pub fn unspecify(&mut self, here: Here, dst: &Pointer, size: u64) -> Flow {
        if size > MOST_UNSPECIFIED {
            let anything = Content::new(&mut self.terms, Background::Anything);
            return self.put(here, dst, &anything, size);
        }
        self.leave_unspecified(here);
        let mut bytes = Content::new(&mut self.terms, Background::Unwritten);
        let always = self.terms.truth(true);
        for byte in 0..size {
            let stretch = Stretch { at: byte * 8, bits: 8, ty: Ty::I8, address: self.address };
            let value = Symbol::Int(self.terms.unknown(Width::W8));
            bytes.write(&mut self.terms, stretch, always, &value, always);
        }
        self.put(here, dst, &bytes, size)
    }

    /// Writes the first bytes of a content to a pointer.
    pub fn put(&mut self, here: Here, dst: &Pointer, bytes: &Content, size: u64) -> Flow {
        if size == 0 {
            return Flow::On;
        }
        let dst = match self.followed(here, dst) {
            Ok(known) => known,
            Err(flow) => return flow,
        };
        let targets = match self.targets(here, &dst, Wanted { size, align: 1, write: true, number: false }) {
            Ok(targets) => targets,
            Err(what) => return self.write_anywhere(here, what),
        };
        for target in &targets {
            let info = self.objects[target.object];
            let whole = info.size == size && info.extent.is_none() && self.terms.is_true(target.when);
            if whole && bytes.is_data() && matches!(target.places, Places::One(0)) {
                let alive = self.content(target.object).alive;
                self.state.memory.set(target.object, Rc::new(bytes.alive_if(alive)));
                self.changed(target.object, Kind::Any, target.when);
                continue;
            }
            let mut content = self.take_content(target.object);
            self.each_place(target, |engine, offset, when| {
                engine.noting(here, MIXED, |engine| {
                    let content = Rc::make_mut(&mut content);
                    content.copy(&mut engine.terms, offset * 8, bytes, (0, size * 8), when);
                });
            });
            self.state.memory.set(target.object, content);
            self.changed(target.object, Kind::Any, target.when);
        }
        Flow::On
    }

    /// The part of a pointer of which it is known where it leads, for an access that writes. An error tells how it goes
    /// on where nothing more is done.
    fn followed(&mut self, here: Here, pointer: &Pointer) -> Result<Pointer, Flow> {
        if self.unwinding.loose && pointer.may_be_unknown() {
            return Err(self.write_anywhere(here, UNKNOWN_ACCESS));
        }
        self.known_part(here, pointer).ok_or(Flow::Stopped)
    }

    /// A write of which nobody knows what it changes.
    fn write_anywhere(&mut self, here: Here, what: &str) -> Flow {
        if self.unwinding.loose {
            self.forget_memory(here, what);
            return Flow::On;
        }
        self.unsupported(here, what);
        Flow::Stopped
    }

    /// What an object holds. An access to one that does not exist here is an event, or is not executed.
    pub fn content(&mut self, object: ObjectId) -> Rc<Content> {
        match self.state.memory.get(object) {
            Some(content) if content.is_stale() => {
                let content = content.clone();
                let fresh = Rc::new(self.refreshed(&content));
                self.state.memory.set(object, fresh.clone());
                fresh
            }
            Some(content) => content.clone(),
            None => {
                let alive = !self.objects[object].kind.is_local();
                let alive = self.terms.truth(alive);
                Rc::new(Content::new(&mut self.terms, Background::Unwritten).alive_if(alive))
            }
        }
    }

    /// The same, out of memory: it can be changed without a copy if nobody else has it.
    fn take_content(&mut self, object: ObjectId) -> Rc<Content> {
        let content = self.content(object);
        self.state.memory.remove(object);
        content
    }

    /// Every place of a target with the condition under which it is meant.
    fn each_place(&mut self, target: &Target, mut work: impl FnMut(&mut Self, u64, Term)) {
        match &target.places {
            Places::Far { .. } => unreachable!("only a number is written to one of very many places"),
            Places::One(offset) => work(self, *offset, target.when),
            Places::Many { index, offsets } => {
                for (n, &offset) in offsets.iter().enumerate() {
                    let here = self.terms.is(*index, n as u64);
                    let when = self.terms.both(target.when, here);
                    if !self.terms.is_false(when) {
                        work(self, offset, when);
                    }
                }
            }
        }
    }

    /// What a pointer may point to, and the checks that an access makes. An error is a construct without a model.
    fn targets(
        &mut self,
        here: Here,
        pointer: &Pointer,
        wanted: Wanted,
    ) -> Result<Vec<Target>, &'static str> {
        let mut targets = Vec::new();
        for case in &self.with_devices(pointer, wanted.size).cases {
            let elsewhere = self.terms.not(case.when);
            match case.base {
                Base::Unknown => unreachable!("only what is known of a pointer is accessed"),
                Base::Null => self.access_to_nothing(here, case),
                Base::Function(_) => self.check(here, elsewhere, Event::InvalidPointer),
                Base::Object(object) => {
                    self.check_alive(here, object, elsewhere);
                    if let Some(places) = self.places(here, object, case.offset, elsewhere, wanted)? {
                        targets.push(Target { when: case.when, object, places });
                    }
                }
            }
        }
        Ok(targets)
    }

    /// An access through null, or a pointer that was moved from there.
    pub(crate) fn access_to_nothing(&mut self, here: Here, case: &Case) {
        // With 64-bit addresses it is an event to move a pointer from null to where objects are.
        if self.address == Width::W32 {
            let far = self.is_far_from_null(case.offset);
            let lucky = self.terms.both(case.when, far);
            if let Some(state) = self.state_if(lucky) {
                let before = std::mem::replace(&mut self.state, state);
                self.unsupported(here, "an access through a number");
                self.state = before;
            }
        }
        let width = self.terms.width(case.offset);
        let page = self.terms.constant(width, NULL_PAGE);
        let near = self.terms.compare(IntCmp::Ult, case.offset, page);
        let elsewhere = self.terms.not(case.when);
        let not_null = self.terms.not(near);
        let not_null = self.terms.any(&[elsewhere, not_null]);
        self.check(here, not_null, Event::NullAccess);
        if !self.terms.is_true(near) {
            self.check(here, elsewhere, Event::InvalidPointer);
        }
    }

    fn check_alive(&mut self, here: Here, object: ObjectId, elsewhere: Term) {
        let alive = self.content(object).alive;
        let fine = self.terms.any(&[elsewhere, alive]);
        self.check(here, fine, Event::UseAfterFree);
    }

    /// The offsets that an access to an object may have; none if it never fits.
    fn places(
        &mut self,
        here: Here,
        object: ObjectId,
        offset: Term,
        elsewhere: Term,
        wanted: Wanted,
    ) -> Result<Option<Places>, &'static str> {
        let Some(last) = self.objects[object].size.checked_sub(wanted.size) else {
            let never = self.terms.truth(false);
            let meant = self.terms.not(elsewhere);
            self.check_within(here, object, meant, never, never);
            return Ok(None);
        };
        let inside = self.is_inside(object, offset, wanted.size);
        let meant = self.terms.not(elsewhere);
        let end = self.terms.constant(self.terms.width(offset), last);
        let known = self.terms.compare(IntCmp::Ule, offset, end);
        self.check_within(here, object, meant, inside, known);
        if wanted.write && self.objects[object].kind == ObjectKind::Constant {
            self.check(here, elsewhere, Event::WriteToConstant);
        }
        if let Some(offset) = self.terms.known(offset) {
            let aligned = offset % u64::from(wanted.align) == 0;
            if !aligned {
                self.check(here, elsewhere, Event::Misaligned);
            }
            return Ok((offset <= last).then_some(Places::One(offset)));
        }
        self.check_alignment(here, offset, elsewhere, wanted);
        if let Some(offsets) = self.scattered(offset, last, u64::from(wanted.align)) {
            return Ok(match offsets[..] {
                [] => None,
                [only] => Some(Places::One(only)),
                _ => Some(Places::Many { index: self.number_among(offset, &offsets), offsets }),
            });
        }
        if let Some(places) = self.far_places(object, offset, last, wanted) {
            return Ok(Some(Places::Far { offset, places }));
        }
        let offsets = self.offsets(offset, last, u64::from(wanted.align));
        match offsets.len() {
            0 => Ok(None),
            1 => Ok(Some(Places::One(offsets[0]))),
            n if n > MOST_PLACES => Err("an access to one of very many places"),
            _ => Ok(Some(Places::Many { index: self.index(offset, &offsets), offsets })),
        }
    }

    /// The offsets from 0 to `last` that a term may have and that are aligned, if they are so few and so scattered that
    /// a row of them with equal distances has many more.
    fn scattered(&self, offset: Term, last: u64, align: u64) -> Option<Vec<u64>> {
        let fits = |offset: &u64| *offset <= last && offset.is_multiple_of(align);
        let mut few: Vec<u64> = few_values(self.terms.model, offset)?;
        few.retain(fits);
        let row = self.offsets(offset, last, align);
        (few.len() < row.len()).then_some(few)
    }

    /// The number of an offset in a row of offsets.
    fn number_among(&mut self, offset: Term, offsets: &[u64]) -> Term {
        let width = self.terms.width(offset);
        let mut number = self.terms.constant(width, offsets.len() as u64 - 1);
        for (n, &place) in offsets.iter().enumerate().rev().skip(1) {
            let here = self.terms.is(offset, place);
            let n = self.terms.constant(width, n as u64);
            number = self.terms.select(here, n, number);
        }
        number
    }

    /// The places of a number in an object, if they are too many to look at each of them.
    fn far_places(&mut self, object: ObjectId, offset: Term, last: u64, wanted: Wanted) -> Option<Grid> {
        let size = wanted.size;
        if !wanted.number || !matches!(size, 1 | 2 | 4 | 8) {
            return None;
        }
        let values = progression(self.terms.model, offset);
        let on_grid = u64::from(wanted.align) == size
            || values.step.is_multiple_of(size) && values.residue.is_multiple_of(size);
        let low = u64::try_from(values.low.max(0)).ok()?.next_multiple_of(size);
        let high = u64::try_from(values.high.min(i128::from(last))).ok()?;
        let high = high - high % size;
        if !on_grid || low > high {
            return None;
        }
        let places = Grid { first: low, last: high, step: size };
        let content = self.content(object);
        let few = places.count() <= FEW_PLACES && content.log.is_empty();
        let dear = !content.is_even(&places) && places.count() > MOST_ITEMS;
        (!few && !dear).then_some(places)
    }

    fn check_alignment(&mut self, here: Here, offset: Term, elsewhere: Term, wanted: Wanted) {
        let align = u64::from(wanted.align);
        let values = progression(self.terms.model, offset);
        if values.step.is_multiple_of(align) && values.residue.is_multiple_of(align) {
            return;
        }
        let width = self.terms.width(offset);
        let mask = self.terms.constant(width, align - 1);
        let low = self.terms.op(IntOp::And, offset, mask);
        let aligned = self.terms.is(low, 0);
        let fine = self.terms.any(&[elsewhere, aligned]);
        self.check(here, fine, Event::Misaligned);
    }

    /// The offsets from 0 to `last` that a term may have and that are aligned.
    pub(crate) fn offsets(&self, offset: Term, last: u64, align: u64) -> Vec<u64> {
        let values = progression(self.terms.model, offset);
        let low = values.low.max(0);
        let high = values.high.min(i128::from(last));
        if low > high {
            return Vec::new();
        }
        let (low, high) = (low as u64, high as u64);
        let step = values.step.max(1);
        let first = low + (values.residue + step - low % step) % step;
        let fits = |offset: &u64| offset.is_multiple_of(align);
        (first..=high)
            .step_by(usize::try_from(step).unwrap_or(usize::MAX))
            .filter(fits)
            .take(MOST_PLACES + 1)
            .collect()
    }

    /// The number of an offset in a row of offsets with equal distances.
    pub(crate) fn index(&mut self, offset: Term, offsets: &[u64]) -> Term {
        let width = self.terms.width(offset);
        let (first, step) = (offsets[0], offsets[1] - offsets[0]);
        // c + k * i: the index is i, moved.
        if let Node::Sum(constant, parts) = self.terms.model.node(offset)
            && let [(factor, part)] = **parts
            && factor == step
            && first.wrapping_sub(*constant).is_multiple_of(step)
            && fits_without_wrapping(self, part, factor)
        {
            let skipped = width.signed(first.wrapping_sub(*constant)) / step.cast_signed();
            let back = self.terms.constant(width, skipped.wrapping_neg().cast_unsigned());
            return self.terms.add(part, back);
        }
        let start = self.terms.constant(width, first);
        let distance = self.terms.op(IntOp::Sub, offset, start);
        let step = self.terms.constant(width, step);
        self.terms.op(IntOp::UDiv, distance, step)
    }
}

/// Whether bits fill whole bytes: no bit-field.
fn is_whole(bit: u32, bits: u32) -> bool {
    bit == 0 && bits.is_multiple_of(8)
}

/// Addresses below are near null.
const NULL_PAGE: u64 = 4096;

/// Reads of volatile objects belong to no function.
const VOLATILE: &str = "";

const UNKNOWN_ACCESS: &str = "an access through an unknown pointer";

pub(crate) const MIXED: &str = "a value put together from pieces of addresses";

/// Whether a product stays in range, so that it determines its factor.
fn fits_without_wrapping(engine: &Engine<'_>, part: Term, factor: u64) -> bool {
    let values = progression(engine.terms.model, part);
    let limit = 1i128 << (engine.terms.width(part).bits() - 2);
    let factor = i128::from(factor);
    values.low * factor > -limit && values.high * factor < limit
}

/// The width of a byte.
pub(crate) const BYTE: Width = Width::W8;
