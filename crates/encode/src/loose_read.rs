//! Reads from one of many places, in an encoding that may have more behaviours.
//!
//! To say which of a thousand unknowns is read costs a thousand cases, and a proof for all turns of a loop hardly ever
//! needs to know: only that the same place holds the same value as long as nothing is written.

use std::rc::Rc;

use quipu_ir::Ty;
use quipu_num::Width;

use crate::access::Places;
use crate::content::{Content, Read, Stretch};
use crate::encoder::Engine;
use crate::symbol::Symbol;

/// So many places are told apart even here: what is known about each of them may matter.
const MOST_TOLD_APART: u64 = 128;

/// A value that was read from an object with this content.
pub(crate) struct LooseRead {
    content: Rc<Content>,
    places: Places,
    shape: Stretch,
    read: Read,
}

impl Engine<'_> {
    /// Something that nobody knows instead of one of very many values; none if there are few, or they are constants.
    pub fn read_loosely(&mut self, content: &Rc<Content>, places: &Places, shape: Stretch) -> Option<Read> {
        if shape.ty == Ty::Ptr
            || content.n_cells() as u64 <= MOST_TOLD_APART
            || places.count() <= MOST_TOLD_APART
        {
            return None;
        }
        let known = self.loose_reads.iter().find(|known| {
            Rc::ptr_eq(&known.content, content) && known.places == *places && known.shape == shape
        });
        if let Some(known) = known {
            return Some(known.read.clone());
        }
        let value = Symbol::unknown(&mut self.terms, shape.ty, shape.address);
        let written = match content.is_written(&self.terms) {
            true => self.terms.truth(true),
            false => self.terms.unknown(Width::W1),
        };
        let read = Read { value, written };
        self.loose_reads.push(LooseRead {
            content: content.clone(),
            places: places.clone(),
            shape,
            read: read.clone(),
        });
        Some(read)
    }
}
