//! The bytes behind a pointer, for functions that read them one after the other.
//!
//! An object is read once, whatever the offset of the pointer: byte number k is one of the object's bytes, chosen by
//! the offset. So a function is a chain of terms along the bytes, as long as the object and no longer.

use std::rc::Rc;

use quipu_ir::{Event, Ty};
use quipu_model::Term;
use quipu_num::{IntCmp, Width};

use crate::access::{BYTE, MIXED};
use crate::content::{Content, Read, Stretch};
use crate::encoder::{Engine, Here};
use crate::memory::{ObjectId, ObjectKind};
use crate::overlap::Kind;
use crate::pointer::{Base, Case, Pointer};
use crate::symbol::Symbol;

/// No function is followed through more bytes.
pub(crate) const MOST_BYTES: u64 = 1 << 12;

/// With more possible offsets, bytes are not chosen one by one.
const FEW_PLACES: usize = 32;

/// With more possible offsets, or places to write to, there is no model.
pub(crate) const MOST_PLACES: usize = 2048;
pub(crate) const MOST_WRITES: u64 = 1 << 16;

/// What stands behind a pointer.
pub(crate) struct View {
    /// Null, and functions.
    nowhere: Vec<Case>,
    parts: Vec<Part>,
    /// No object has a byte with this number.
    pub end: u64,
}

/// An object that the pointer may point into.
pub(crate) struct Part {
    pub when: Term,
    pub object: ObjectId,
    pub offset: Term,
    /// The offsets that the pointer may have, if it points to a byte, and which of them it has.
    pub offsets: Vec<u64>,
    index: Option<Term>,
    content: Rc<Content>,
    /// The bytes from the first offset on, as far as they were read.
    bytes: Vec<Option<Byte>>,
    /// The bytes from the pointer on, if there are many offsets.
    shifted: Option<Vec<Byte>>,
}

/// A byte, and whether it was written.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Byte {
    pub value: Term,
    pub written: Term,
}

/// Blocks that only a loose encoding makes so large are not looked at byte by byte.
const LARGEST_VIEWED: u64 = 1 << 24;

/// What is demanded of a byte that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demand {
    /// It exists and was written.
    Readable,
    /// It was written; that it exists is known.
    Written,
}

/// Which bytes are read, if each leads to the next.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// Whether anything is read.
    pub open: Term,
    /// At most so many bytes.
    pub limit: Option<Term>,
}

/// A string: its bytes up to its end, or up to a limit.
pub(crate) struct Text {
    /// Each with whether it belongs to the string. Behind the last one, there is none that does.
    pub bytes: Vec<(Term, Term)>,
    pub length: Term,
}

impl Engine<'_> {
    /// The bytes behind a pointer; none if nobody knows where it points.
    pub fn view(&mut self, here: Here, pointer: &Pointer) -> Option<View> {
        let mut view = View { nowhere: Vec::new(), parts: Vec::new(), end: 0 };
        let known = self.known_part(here, pointer)?;
        for case in &self.with_devices(&known, 1).cases {
            match case.base {
                Base::Unknown => unreachable!("only what is known of a pointer is looked at"),
                Base::Null | Base::Function(_) => view.nowhere.push(case.clone()),
                Base::Object(object)
                    if self.unwinding.loose && self.objects[object].size > LARGEST_VIEWED =>
                {
                    self.unsupported(here, "the bytes of a very large block");
                    return None;
                }
                Base::Object(object) => {
                    let part = self.view_part(case, object);
                    if part.offsets.len() > MOST_PLACES {
                        self.unsupported(here, "an access to one of very many places");
                        return None;
                    }
                    let first = part.offsets.first();
                    view.end = view.end.max(first.map_or(0, |first| self.objects[object].size - first));
                    view.parts.push(part);
                }
            }
        }
        Some(view)
    }

    fn view_part(&mut self, case: &Case, object: ObjectId) -> Part {
        let size = self.objects[object].size;
        let offsets = match self.terms.known(case.offset) {
            Some(offset) => (offset < size).then_some(offset).into_iter().collect(),
            None if size == 0 => Vec::new(),
            None => self.offsets(case.offset, size - 1, 1),
        };
        let index = (offsets.len() > 1).then(|| self.index(case.offset, &offsets));
        let content = self.content(object);
        let (when, offset) = (case.when, case.offset);
        Part { when, object, offset, offsets, index, content, bytes: Vec::new(), shifted: None }
    }

    /// Byte number `k`, which is read where `open` is true. None if there is no such byte.
    pub fn byte(&mut self, here: Here, view: &mut View, k: u64, open: Term, demand: Demand) -> Option<Term> {
        if demand == Demand::Readable {
            if k == 0 {
                self.check_bases(here, view, open);
            }
            self.check_byte(here, view, k, open);
        }
        let byte = self.noting(here, MIXED, |engine| engine.chosen(view, k))?;
        let away = self.escaped();
        let fine = self.terms.any(&[byte.written, away]);
        let fine = self.terms.implies(open, fine);
        Some(self.if_written(here, fine, Symbol::Int(byte.value), Ty::I8).int())
    }

    /// Demands that a number of bytes exist, unless it is zero, where `open` is true.
    pub fn check_range(&mut self, here: Here, view: &View, length: Term, open: Term, write: bool) {
        let none = self.terms.is(length, 0);
        let some = self.terms.not(none);
        let open = self.terms.both(open, some);
        if self.terms.is_false(open) {
            return;
        }
        self.check_bases(here, view, open);
        for part in &view.parts {
            let size = self.extent(part.object);
            let inside = self.fits(part.offset, length, size);
            let meant = self.terms.both(open, part.when);
            let known = self.terms.constant(self.address, self.objects[part.object].size);
            let known = self.fits(part.offset, length, known);
            self.check_within(here, part.object, meant, inside, known);
            if write && self.objects[part.object].kind == ObjectKind::Constant {
                let fine = self.terms.not(meant);
                self.check(here, fine, Event::WriteToConstant);
            }
        }
    }

    /// Demands that there is a live object.
    fn check_bases(&mut self, here: Here, view: &View, open: Term) {
        for case in &view.nowhere {
            let when = self.terms.both(case.when, open);
            match case.base {
                Base::Null => self.access_to_nothing(here, &Case { when, ..case.clone() }),
                _ => {
                    let elsewhere = self.terms.not(when);
                    self.check(here, elsewhere, Event::InvalidPointer);
                }
            }
        }
        for part in &view.parts {
            let meant = self.terms.both(part.when, open);
            let fine = self.terms.implies(meant, part.content.alive);
            self.check(here, fine, Event::UseAfterFree);
        }
    }

    /// Demands that byte number `k` exists where `open` is true, given that all before it do.
    fn check_byte(&mut self, here: Here, view: &View, k: u64, open: Term) {
        let skipped = self.terms.constant(self.address, k);
        let mut inside = Vec::new();
        for part in &view.parts {
            let size = self.extent(part.object);
            let place = self.terms.add(part.offset, skipped);
            let below = self.terms.compare(IntCmp::Ult, place, size);
            if self.objects[part.object].trusted.is_some() {
                let known = self.terms.constant(self.address, self.objects[part.object].size);
                let known = self.terms.compare(IntCmp::Ult, place, known);
                let meant = self.terms.both(open, part.when);
                self.check_within(here, part.object, meant, below, known);
            } else {
                inside.push(self.terms.implies(part.when, below));
            }
        }
        let inside = self.terms.all(&inside);
        let fine = self.terms.implies(open, inside);
        self.check(here, fine, Event::OutOfBounds);
    }

    fn chosen(&mut self, view: &mut View, k: u64) -> Option<Byte> {
        let mut found: Option<Byte> = None;
        for part in view.parts.iter_mut().rev() {
            let Some(byte) = self.byte_of(part, k) else { continue };
            found = Some(match found {
                None => byte,
                Some(rest) => self.either_byte(part.when, byte, rest),
            });
        }
        found
    }

    fn either_byte(&mut self, condition: Term, a: Byte, b: Byte) -> Byte {
        Byte {
            value: self.terms.select(condition, a.value, b.value),
            written: self.terms.select(condition, a.written, b.written),
        }
    }

    fn byte_of(&mut self, part: &mut Part, k: u64) -> Option<Byte> {
        let size = self.objects[part.object].size;
        let first = *part.offsets.first()?;
        if first + k >= size {
            return None;
        }
        let Some(index) = part.index else { return Some(self.byte_at(part, k)) };
        if part.offsets.len() > FEW_PLACES {
            if part.shifted.is_none() {
                part.shifted = Some(self.shift(part, index, size));
            }
            return part.shifted.as_ref().expect("it was just made").get(k as usize).copied();
        }
        let places: Vec<u64> = part.offsets.iter().map(|offset| offset - first + k).collect();
        let bytes: Vec<Byte> = places
            .iter()
            .filter(|&&place| first + place < size)
            .map(|&place| self.byte_at(part, place))
            .collect();
        let values: Vec<Term> = bytes.iter().map(|byte| byte.value).collect();
        let written: Vec<Term> = bytes.iter().map(|byte| byte.written).collect();
        Some(Byte { value: self.terms.pick(index, &values), written: self.terms.pick(index, &written) })
    }

    /// A byte by its distance from the first offset.
    fn byte_at(&mut self, part: &mut Part, distance: u64) -> Byte {
        let n = distance as usize;
        if part.bytes.len() <= n {
            part.bytes.resize(n + 1, None);
        }
        if let Some(byte) = part.bytes[n] {
            return byte;
        }
        let at = (part.offsets[0] + distance) * 8;
        let stretch = Stretch { at, bits: 8, ty: Ty::I8, address: self.address };
        let Read { value, written } = part.content.read(&mut self.terms, stretch);
        let byte = Byte { value: value.int(), written };
        part.bytes[n] = Some(byte);
        byte
    }

    /// All bytes from the pointer on, moved by one power of two after the other.
    fn shift(&mut self, part: &mut Part, index: Term, size: u64) -> Vec<Byte> {
        let mut bytes: Vec<Byte> = (0..size - part.offsets[0]).map(|n| self.byte_at(part, n)).collect();
        let step = part.offsets[1] - part.offsets[0];
        let greatest = part.offsets.len() - 1;
        for bit in 0..usize::BITS - greatest.leading_zeros() {
            let moved = self.terms.extract(index, bit, Width::W1);
            let distance = (step << bit) as usize;
            bytes = (0..bytes.len())
                .map(|n| match bytes.get(n + distance) {
                    Some(&far) => self.either_byte(moved, far, bytes[n]),
                    // There is no such byte if it is moved.
                    None => bytes[n],
                })
                .collect();
        }
        bytes
    }

    /// Reads one byte after the other, as long as `goes_on` says so: it is told the number, the byte, and whether it
    /// is read. None if no path goes on.
    pub fn scan(
        &mut self,
        here: Here,
        view: &mut View,
        reach: Reach,
        mut goes_on: impl FnMut(&mut Self, u64, Term, Term) -> Term,
    ) -> Option<()> {
        let mut open = reach.open;
        for k in 0.. {
            if let Some(limit) = reach.limit {
                let within = self.is_below(k, limit);
                open = self.link(open, within);
            }
            if self.terms.is_false(open) {
                break;
            }
            if k == MOST_BYTES {
                return self.cut_where(here, open, format!("a string of more than {k} bytes"));
            }
            let Some(byte) = self.byte(here, view, k, open, Demand::Readable) else { break };
            let more = goes_on(self, k, byte, open);
            open = self.link(open, more);
        }
        Some(())
    }

    /// The string at a pointer.
    pub fn string_at(&mut self, here: Here, pointer: &Pointer, reach: Reach) -> Option<Text> {
        let mut view = self.view(here, pointer)?;
        self.string_in(here, &mut view, reach)
    }

    pub fn string_in(&mut self, here: Here, view: &mut View, reach: Reach) -> Option<Text> {
        let mut bytes = Vec::new();
        let mut ends = Vec::new();
        self.scan(here, view, reach, |engine, _, byte, open| {
            let end = engine.terms.is(byte, 0);
            let more = engine.terms.not(end);
            bytes.push((byte, engine.link(open, more)));
            ends.push(end);
            more
        })?;
        let length = self.first(&ends, ends.len() as u64);
        let length = match reach.limit {
            None => length,
            Some(limit) => {
                let longer = self.terms.compare(IntCmp::Ult, length, limit);
                self.terms.select(longer, length, limit)
            }
        };
        Some(Text { bytes, length })
    }

    /// The number of the first condition that is true.
    pub fn first(&mut self, conditions: &[Term], otherwise: u64) -> Term {
        let mut position = self.terms.constant(self.address, otherwise);
        for (k, &condition) in conditions.iter().enumerate().rev() {
            let here = self.terms.constant(self.address, k as u64);
            position = self.terms.select(condition, here, position);
        }
        position
    }

    /// Whether a number is less than a term, both unsigned.
    pub fn is_below(&mut self, k: u64, limit: Term) -> Term {
        let k = self.terms.constant(self.terms.width(limit), k);
        self.terms.compare(IntCmp::Ult, k, limit)
    }

    /// Both conditions. In a chain of many, normal forms would list all of them again and again.
    pub fn link(&mut self, chain: Term, condition: Term) -> Term {
        match (self.terms.known(chain), self.terms.known(condition)) {
            (Some(0), _) | (_, Some(1)) => chain,
            (Some(_), _) | (_, Some(_)) => condition,
            _ => self.terms.model.all([chain, condition]),
        }
    }

    /// Nothing is followed where a condition is true; none if it always is.
    pub fn cut_where(&mut self, here: Here, condition: Term, what: impl Into<String>) -> Option<()> {
        if let Some(state) = self.state_if(condition) {
            let before = std::mem::replace(&mut self.state, state);
            self.unsupported(here, what);
            self.state = before;
            let not = self.terms.not(condition);
            self.state = self.state_if(not)?;
        }
        Some(())
    }

    /// Writes bytes where their conditions are true: each has its distance from the pointer. None if there are too
    /// many places. That all of them exist was demanded before.
    pub fn write_bytes(&mut self, here: Here, view: &View, bytes: &[(u64, Term, Term)]) -> Option<()> {
        let always = self.terms.truth(true);
        for part in &view.parts {
            if part.offsets.len() as u64 * bytes.len() as u64 > MOST_WRITES {
                self.unsupported(here, "a string written to one of very many places");
                return None;
            }
            let size = self.objects[part.object].size;
            let mut content = (*self.content(part.object)).clone();
            for (when, offset) in self.places_of(part) {
                for &(distance, value, condition) in bytes {
                    let when = self.terms.both(when, condition);
                    if offset + distance >= size || self.terms.is_false(when) {
                        continue;
                    }
                    let at = (offset + distance) * 8;
                    let stretch = Stretch { at, bits: 8, ty: Ty::I8, address: self.address };
                    self.noting(here, MIXED, |engine| {
                        content.write(&mut engine.terms, stretch, when, &Symbol::Int(value), always);
                    });
                }
            }
            self.state.memory.set(part.object, Rc::new(content));
            self.changed(part.object, Kind::Any, part.when);
        }
        Some(())
    }

    /// The offsets of a part, each with the condition under which it is meant.
    pub fn places_of(&mut self, part: &Part) -> Vec<(Term, u64)> {
        let Some(index) = part.index else {
            return part.offsets.iter().map(|&offset| (part.when, offset)).collect();
        };
        let mut places = Vec::new();
        for (n, &offset) in part.offsets.iter().enumerate() {
            let here = self.terms.is(index, n as u64);
            places.push((self.terms.both(part.when, here), offset));
        }
        places
    }

    /// A byte from another number.
    pub fn low_byte(&mut self, number: Term) -> Term {
        self.terms.resize(number, BYTE, false)
    }
}

impl View {
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// The cases of a pointer that point to objects: all others are events before the result counts.
pub(crate) fn objects_only(terms: &mut crate::terms::Terms<'_>, pointer: &Pointer) -> Pointer {
    let is_object = |case: &&Case| matches!(case.base, Base::Object(_));
    let mut cases: Vec<Case> = pointer.cases.iter().filter(is_object).cloned().collect();
    match &mut cases[..] {
        [] => return pointer.clone(),
        [only] => only.when = terms.truth(true),
        _ => {}
    }
    Pointer { cases }
}
