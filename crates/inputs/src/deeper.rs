//! Larger shapes than the usual ones, for goals that need them.
//!
//! What Quipu makes of inputs has bounds: so many characters of a string, so many nodes of a list. A goal that one of
//! them excludes may be met beyond it, so the function is given more room there, and there only.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::assumption::{Assumption, Fixed, Maker};

/// What a pointer points to is made larger so many times at most.
const MOST_TIMES: u32 = 3;
/// Each time, arrays and strings become so many times longer.
const LONGER: u64 = 4;
/// And lists so many times.
const MORE_NODES: u32 = 2;
/// So many allocations may fail where some should.
const FAILING: [u32; 2] = [4, 16];

/// How much more there is than usual.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Deeper {
    /// How often arrays and strings were made longer, by the names of pointers to them.
    lengths: BTreeMap<String, u32>,
    /// How often lists were, of nodes or of strings, by the names of pointers to their starts.
    lists: BTreeMap<String, u32>,
    /// Pointers that have an object although many pointers lead there.
    objects: BTreeSet<String>,
    /// So many allocations may fail, if it is not the usual number.
    failing: Option<u32>,
    /// Globals that are inputs although no function here changes them.
    globals: BTreeSet<String>,
}

impl Deeper {
    /// More, where some assumptions say that there is no more. None if that cannot be.
    pub fn beyond<'a>(&self, assumptions: impl IntoIterator<Item = &'a Assumption>) -> Option<Deeper> {
        let mut next = self.clone();
        for assumption in assumptions {
            match assumption {
                Assumption::Points { wider: Some(wider), maker: Maker::Shape, .. } => {
                    next.widen(self, wider);
                }
                Assumption::Fixed { part, why: Fixed::From(_) } => {
                    enlarge(&mut next.lengths, part, times(&self.lengths, part));
                }
                Assumption::Fixed { part, why: Fixed::NeverWritten } => {
                    next.globals.insert(part.clone());
                }
                Assumption::FailingAllocations { most, maker } if *maker != Maker::User => {
                    next.failing = FAILING.into_iter().find(|more| more > most).or(next.failing);
                }
                _ => {}
            }
        }
        (next != *self).then_some(next)
    }

    /// Allows what a demand would, or more of it.
    fn widen(&mut self, before: &Deeper, wider: &str) {
        let Some((pointer, shape)) = wider.split_once('=') else { return };
        // Of strings one after the other there are more, or they are longer.
        let more_strings = shape.starts_with("strings") && !shape.contains(',');
        if shape.starts_with("list") || more_strings {
            enlarge(&mut self.lists, pointer, times(&before.lists, pointer));
        } else if shape == "object" {
            self.objects.insert(pointer.to_string());
        } else {
            enlarge(&mut self.lengths, pointer, times(&before.lengths, pointer));
        }
    }

    /// How long an array or a string is for a pointer that usually has so many elements.
    pub(crate) fn length(&self, pointer: &str, usual: u64) -> u64 {
        usual.saturating_mul(LONGER.saturating_pow(times(&self.lengths, pointer)))
    }

    /// How many nodes or strings follow each other in a list that usually has so many.
    pub(crate) fn nodes(&self, pointer: &str, usual: u32) -> u32 {
        usual.saturating_mul(MORE_NODES.saturating_pow(times(&self.lists, pointer)))
    }

    /// Whether a pointer has an object although many pointers lead there.
    pub(crate) fn has_object(&self, pointer: &str) -> bool {
        self.objects.contains(pointer)
    }

    pub(crate) fn failing(&self, usual: u32) -> u32 {
        self.failing.unwrap_or(usual)
    }

    pub(crate) fn has_global(&self, name: &str) -> bool {
        self.globals.contains(name)
    }
}

fn times(known: &BTreeMap<String, u32>, pointer: &str) -> u32 {
    known.get(pointer).copied().unwrap_or(0)
}

fn enlarge(known: &mut BTreeMap<String, u32>, pointer: &str, times: u32) {
    if times < MOST_TIMES {
        known.insert(pointer.to_string(), times + 1);
    }
}
