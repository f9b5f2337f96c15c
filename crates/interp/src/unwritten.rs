//! What becomes of a run that reads memory which was never written.

use quipu_ir::{Event, Func, Span};
use serde::{Deserialize, Serialize};

use crate::outcome::Stop;

/// What a read of something gives that was never written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Unwritten {
    /// Nothing: it is an event, with which the run ends.
    #[default]
    Trap,
    /// Zero, as in a program whose memory is filled with zeros; the run goes on, and the place is noted.
    Zero,
}

/// An instruction that read something which was never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnwrittenRead {
    pub func: Func,
    pub span: Span,
}

/// The rule of a run, and the places where it mattered, each once, in the order of the run.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnwrittenReads {
    pub rule: Unwritten,
    pub places: Vec<UnwrittenRead>,
}

impl UnwrittenReads {
    /// Whether a run goes on behind a stop, which is noted then.
    #[cold]
    pub fn overlooks(&mut self, stop: &Stop, func: Func, span: Span) -> bool {
        let overlooks =
            self.rule == Unwritten::Zero && matches!(stop, Stop::Event(Event::UninitializedRead, _));
        if overlooks {
            self.note(func, span);
        }
        overlooks
    }

    pub fn note(&mut self, func: Func, span: Span) {
        let place = UnwrittenRead { func, span };
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }
}
