//! Blocks of memory: copied and filled, with sizes that may depend on inputs.

use std::rc::Rc;

use quipu_ir::{Event, Ty};
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp};

use super::LARGEST_BLOCK;
use super::view::{MOST_WRITES, View};
use crate::access::MIXED;
use crate::block::Flow;
use crate::content::{Background, Content, Stretch};
use crate::encoder::{Engine, Here};
use crate::overlap::Kind;
use crate::pointer::{self, Base, Pointer};
use crate::progression::progression;
use crate::symbol::Symbol;

/// A part of a block: its first byte and the byte behind it. It belongs to the block if the size allows it.
pub(super) type Piece = (u64, u64);

impl Engine<'_> {
    /// `memcpy` and its relatives. Two stretches may overlap only if they are the same, unless it is said that they
    /// may.
    pub(super) fn copy_block(
        &mut self,
        here: Here,
        dst: &Pointer,
        src: &Pointer,
        size: Term,
        overlap: bool,
    ) -> Option<()> {
        if let Some(size) = self.terms.known(size).filter(|&size| size <= LARGEST_BLOCK) {
            return match self.copy(here, dst, src, size, overlap) {
                Flow::On => Some(()),
                Flow::Stopped => None,
            };
        }
        let (from, to) = (self.view(here, src)?, self.view(here, dst)?);
        let always = self.terms.truth(true);
        self.check_range(here, &from, size, always, false);
        self.check_range(here, &to, size, always, true);
        if !overlap {
            self.check_same_or_apart(here, dst, src, size);
        }
        let pieces = self.pieces(here, size, from.end.min(to.end))?;
        let copied = self.gathered(here, &from, &pieces)?;
        self.put_pieces(here, &to, &copied, &pieces, size)
    }

    /// `memset` and its relatives.
    pub(super) fn fill_block(&mut self, here: Here, dst: &Pointer, byte: Term, size: Term) -> Option<()> {
        if let Some(size) = self.terms.known(size).filter(|&size| size <= LARGEST_BLOCK) {
            let content = self.filled(byte, size);
            return match self.put(here, dst, &content, size) {
                Flow::On => Some(()),
                Flow::Stopped => None,
            };
        }
        let view = self.view(here, dst)?;
        let always = self.terms.truth(true);
        self.check_range(here, &view, size, always, true);
        let pieces = self.pieces(here, size, view.end)?;
        let content = self.filled(byte, pieces.last().map_or(0, |&(_, end)| end));
        self.put_pieces(here, &view, &content, &pieces, size)
    }

    /// The pieces of a block whose size depends on inputs: from one possible size to the next.
    pub(super) fn pieces(&mut self, here: Here, size: Term, most: u64) -> Option<Vec<Piece>> {
        if most > LARGEST_BLOCK {
            let limit = self.terms.constant(self.address, LARGEST_BLOCK);
            let large = self.terms.compare(IntCmp::Ult, limit, size);
            self.cut_where(here, large, format!("a block of more than {LARGEST_BLOCK} bytes"))?;
        }
        let values = progression(self.terms.model, size);
        let high = values.high.min(i128::from(most.min(LARGEST_BLOCK)));
        let mut pieces = Vec::new();
        let mut start = 0;
        let mut next = if values.step == 0 { values.low } else { i128::from(values.residue) };
        while next <= high {
            if next >= values.low && next > 0 {
                pieces.push((start, next as u64));
                start = next as u64;
            }
            if values.step == 0 {
                break;
            }
            next += i128::from(values.step);
        }
        Some(pieces)
    }

    fn check_same_or_apart(&mut self, here: Here, dst: &Pointer, src: &Pointer, size: Term) {
        let overlap = pointer::by_base(&mut self.terms, dst, src, |terms, base, to, from| {
            if !matches!(base, Base::Object(_)) {
                return terms.truth(false);
            }
            let (there, back) = (terms.op(IntOp::Sub, to, from), terms.op(IntOp::Sub, from, to));
            let behind = terms.compare(IntCmp::Ult, there, size);
            let before = terms.compare(IntCmp::Ult, back, size);
            let near = terms.any(&[behind, before]);
            let same = terms.equal(to, from);
            let differ = terms.not(same);
            terms.both(near, differ)
        });
        let fine = self.terms.not(overlap);
        self.check(here, fine, Event::OverlappingCopy);
    }

    /// What stands behind a pointer, as far as it may be copied.
    fn gathered(&mut self, here: Here, view: &View, pieces: &[Piece]) -> Option<Content> {
        let mut gathered = Content::new(&mut self.terms, Background::Unwritten);
        for part in view.parts() {
            self.check_effort(here, part.offsets.len(), pieces)?;
            let (content, size) = (self.content(part.object), self.objects[part.object].size);
            for (when, offset) in self.places_of(part) {
                for &(start, end) in pieces.iter().filter(|(_, end)| offset + end <= size) {
                    let source = ((offset + start) * 8, (offset + end) * 8);
                    self.noting(here, MIXED, |engine| {
                        gathered.copy(&mut engine.terms, start * 8, &content, source, when);
                    });
                }
            }
        }
        Some(gathered)
    }

    /// Writes those pieces to a pointer that belong to a block of a size.
    fn put_pieces(
        &mut self,
        here: Here,
        view: &View,
        bytes: &Content,
        pieces: &[Piece],
        size: Term,
    ) -> Option<()> {
        for part in view.parts() {
            self.check_effort(here, part.offsets.len(), pieces)?;
            let limit = self.objects[part.object].size;
            let mut content = (*self.content(part.object)).clone();
            for (meant, offset) in self.places_of(part) {
                for &(start, end) in pieces.iter().filter(|(_, end)| offset + end <= limit) {
                    let least = self.terms.constant(self.address, end);
                    let belongs = self.terms.compare(IntCmp::Ule, least, size);
                    let when = self.terms.both(meant, belongs);
                    let source = (start * 8, end * 8);
                    self.noting(here, MIXED, |engine| {
                        content.copy(&mut engine.terms, (offset + start) * 8, bytes, source, when);
                    });
                }
            }
            self.state.memory.set(part.object, Rc::new(content));
            self.changed(part.object, Kind::Any, part.when);
        }
        Some(())
    }

    fn check_effort(&mut self, here: Here, places: usize, pieces: &[Piece]) -> Option<()> {
        if places as u64 * pieces.len() as u64 > MOST_WRITES {
            self.unsupported(here, "a block at one of very many places");
            return None;
        }
        Some(())
    }

    /// A block of equal bytes.
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
}
