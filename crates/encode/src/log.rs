//! Writes to computed places of large objects.
//!
//! A write to one of a few places changes the cells of all of them under a condition. Where there are very many, the
//! write itself is kept instead, and a read asks the writes before it, last one first: the cost is that of the
//! accesses, not of the object. All writes kept are aligned to their size, so that two of them either are at the same
//! place or have nothing in common, or one of them lies within the other.

use quipu_ir::Ty;
use quipu_model::Term;
use quipu_num::{IntOp, Width};

use crate::content::{Content, Read, Stretch, as_bits, as_type, join_values, stored};
use crate::progression::progression;
use crate::symbol::Symbol;
use crate::terms::Terms;

/// A write that may have happened.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Logged {
    /// In bytes; a multiple of the size.
    pub offset: Term,
    /// In bytes: 1, 2, 4 or 8.
    pub size: u64,
    pub value: Symbol,
    /// Whether the value itself was written before it was copied to here.
    pub written: Term,
    pub when: Term,
}

/// A log is written into the cells of objects with at most so many places.
const MOST_UNFOLDED: u64 = 512;

/// A write, and the bytes from which to which it may be.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Entry {
    pub write: Logged,
    places: (u64, u64),
}

/// The writes to an object, in order.
pub(crate) type Log = Vec<Entry>;

/// The log behind two ways, of which the first is taken where the condition is true.
pub(crate) fn select(terms: &mut Terms<'_>, condition: Term, a: &Log, b: &Log) -> Log {
    let shared = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let mut log = a[..shared].to_vec();
    let not = terms.not(condition);
    for (way, rest) in [(condition, &a[shared..]), (not, &b[shared..])] {
        for entry in rest {
            let when = terms.both(way, entry.write.when);
            if !terms.is_false(when) {
                let write = Logged { when, ..entry.write.clone() };
                log.push(Entry { write, places: entry.places });
            }
        }
    }
    log
}

impl Content {
    /// Keeps a write to a computed place.
    pub fn note(&mut self, terms: &Terms<'_>, write: Logged) {
        let values = progression(terms.model, write.offset);
        let bound = |value: i128| u64::try_from(value.max(0)).unwrap_or(u64::MAX);
        let places = (bound(values.low), bound(values.high).saturating_add(write.size));
        self.log.push(Entry { write, places });
    }

    /// Writes the log into the cells of an object of this size, if it has become as long as there are places.
    pub fn shorten(&mut self, terms: &mut Terms<'_>, object_size: u64) {
        let grain = self.log.iter().map(|entry| entry.write.size).min().unwrap_or(1);
        let places = object_size / grain;
        if places > MOST_UNFOLDED || self.log.len() as u64 <= places {
            return;
        }
        for Entry { write: Logged { offset, size, value, written, when }, .. } in
            std::mem::take(&mut self.log)
        {
            for place in (0..=object_size - size).step_by(size as usize) {
                let here = terms.is(offset, place);
                let when = terms.both(here, when);
                if !terms.is_false(when) {
                    let bits = 8 * size as u32;
                    let ty = Ty::Int(Width::new(bits).expect("a value has 1 to 64 bits"));
                    let stretch = Stretch { at: place * 8, bits, ty, address: Width::W64 };
                    self.write(terms, stretch, when, &value, written);
                }
            }
        }
    }

    /// The value at a computed place, which is a multiple of its size. `places` are the places there may be.
    pub fn read_far(&self, terms: &mut Terms<'_>, offset: Term, shape: Stretch, places: &Grid) -> Read {
        let size = u64::from(shape.bits / 8);
        let (from, to) = (places.first, places.last + places.step);
        let near = self.log.iter().filter(|entry| entry.places.0 < to && from < entry.places.1);
        let near: Vec<&Logged> = near.map(|entry| &entry.write).collect();
        if near.iter().any(|entry| entry.size < size) {
            return self.read_halves(terms, offset, shape, places);
        }
        let mut read = self.read_base(terms, offset, shape, places);
        read.value = stored(terms, &read.value, shape.bits);
        for entry in near {
            let start = match entry.size == size {
                true => offset,
                false => aligned(terms, offset, entry.size),
            };
            let same = terms.equal(start, entry.offset);
            let hit = terms.both(same, entry.when);
            if terms.is_false(hit) {
                continue;
            }
            let value = part(terms, entry, offset, shape);
            let written = terms.select(hit, entry.written, read.written);
            read = Read { value: join_values(terms, hit, &value, &read.value), written };
        }
        let value = as_type(terms, &read.value, &shape);
        Read { value: value.unwrap_or_else(|| Symbol::unknown(terms, shape.ty, shape.address)), ..read }
    }

    /// What was written in smaller pieces.
    fn read_halves(&self, terms: &mut Terms<'_>, offset: Term, shape: Stretch, places: &Grid) -> Read {
        let half = shape.bits / 2;
        let ty = Ty::Int(Width::new(half).expect("a value has 1 to 64 bits"));
        let piece = Stretch { bits: half, ty, ..shape };
        let finer = places.finer();
        let low = self.read_far(terms, offset, piece, &finer);
        let by = terms.constant(terms.width(offset), u64::from(half / 8));
        let next = terms.add(offset, by);
        let high = self.read_far(terms, next, piece, &finer);
        let width = Width::new(shape.bits).expect("a value has 1 to 64 bits");
        let (low_bits, high_bits) = (low.value.int(), high.value.int());
        let (low_bits, high_bits) =
            (terms.resize(low_bits, width, false), terms.resize(high_bits, width, false));
        let amount = terms.constant(width, u64::from(half));
        let high_bits = terms.op(IntOp::Shl, high_bits, amount);
        let number = terms.op(IntOp::Or, low_bits, high_bits);
        let value = as_type(terms, &Symbol::Int(number), &shape);
        let value = value.unwrap_or_else(|| Symbol::unknown(terms, shape.ty, shape.address));
        Read { value, written: terms.both(low.written, high.written) }
    }

    /// The value below the log.
    fn read_base(&self, terms: &mut Terms<'_>, offset: Term, shape: Stretch, places: &Grid) -> Read {
        let at = |place: u64| Stretch { at: place * 8, ..shape };
        if let Some(place) = terms.known(offset) {
            return self.read_cells(terms, at(place));
        }
        let touched: Vec<u64> = self.touched(places);
        if self.is_even(places) && 2 * touched.len() as u64 <= places.count() {
            let mut read = self.read_background(terms, at(places.first));
            for place in touched {
                let here = terms.is(offset, place);
                let found = self.read_cells(terms, at(place));
                let written = terms.select(here, found.written, read.written);
                read = Read { value: join_values(terms, here, &found.value, &read.value), written };
            }
            return read;
        }
        let reads: Vec<Read> = places.iter().map(|place| self.read_cells(terms, at(place))).collect();
        let index = places.index(terms, offset);
        pick(terms, index, &reads)
    }

    /// The places that have cells.
    fn touched(&self, places: &Grid) -> Vec<u64> {
        let mut touched: Vec<u64> = Vec::new();
        for (start, end) in self.cell_bytes() {
            let first = start - start % places.step;
            for place in (first..end).step_by(places.step as usize) {
                if place >= places.first && place <= places.last && touched.last() != Some(&place) {
                    touched.push(place);
                }
            }
        }
        touched
    }
}

/// Places with equal distances, both ends inclusive. The first is a multiple of the distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    pub first: u64,
    pub last: u64,
    pub step: u64,
}

impl Grid {
    pub fn count(&self) -> u64 {
        (self.last - self.first) / self.step + 1
    }

    pub fn iter(&self) -> impl Iterator<Item = u64> + use<> {
        (self.first..=self.last).step_by(self.step as usize)
    }

    /// The number of a place.
    fn index(&self, terms: &mut Terms<'_>, offset: Term) -> Term {
        let width = terms.width(offset);
        let start = terms.constant(width, self.first);
        let distance = terms.op(IntOp::Sub, offset, start);
        let step = terms.constant(width, self.step);
        terms.op(IntOp::UDiv, distance, step)
    }

    /// With half the distance, and one place more at the end.
    fn finer(&self) -> Grid {
        let step = (self.step / 2).max(1);
        Grid { first: self.first, last: self.last + step, step }
    }
}

/// The read with a number.
pub(crate) fn pick(terms: &mut Terms<'_>, index: Term, reads: &[Read]) -> Read {
    let written: Vec<Term> = reads.iter().map(|read| read.written).collect();
    let written = terms.pick(index, &written);
    let numbers: Option<Vec<Term>> = reads
        .iter()
        .map(|read| match read.value {
            Symbol::Int(term) => Some(term),
            _ => None,
        })
        .collect();
    if let Some(numbers) = numbers {
        return Read { value: Symbol::Int(terms.pick(index, &numbers)), written };
    }
    let mut value = reads.last().expect("there are reads").value.clone();
    for (n, read) in reads.iter().enumerate().rev().skip(1) {
        let here = terms.is(index, n as u64);
        value = join_values(terms, here, &read.value, &value);
    }
    Read { value, written }
}

/// An offset without its lowest bits.
fn aligned(terms: &mut Terms<'_>, offset: Term, size: u64) -> Term {
    let mask = terms.constant(terms.width(offset), !(size - 1));
    terms.op(IntOp::And, offset, mask)
}

/// The part of a value written that stands at an offset, if the write covers that.
fn part(terms: &mut Terms<'_>, entry: &Logged, offset: Term, shape: Stretch) -> Symbol {
    if entry.size * 8 == u64::from(shape.bits) {
        return stored(terms, &entry.value, shape.bits);
    }
    let whole = as_bits(terms, &entry.value);
    let mask = terms.constant(terms.width(offset), entry.size - 1);
    let inner = terms.op(IntOp::And, offset, mask);
    let width = terms.width(whole);
    let inner = terms.resize(inner, width, false);
    let eight = terms.constant(width, 8);
    let amount = terms.op(IntOp::Mul, inner, eight);
    let shifted = terms.op(IntOp::LShr, whole, amount);
    let part = Width::new(shape.bits).expect("a value has 1 to 64 bits");
    Symbol::Int(terms.resize(shifted, part, false))
}
