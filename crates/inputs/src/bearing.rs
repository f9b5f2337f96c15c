//! Which values at the end of a run are numbers, and which are made of addresses.
//!
//! Addresses differ from run to run in a compiled program, and so does everything that is computed from them: a pointer
//! in another member of a union, a pointer cast to an integer, a copy of some of its bytes. The type of the place where
//! such a value ends tells nothing. So the run is made once more with all objects elsewhere: what stays is a number,
//! what moves as far as the objects is an address, everything else that differs is computed from addresses.

use std::collections::BTreeMap;

use quipu_interp::{Outcome, Placement};
use quipu_ir::{DataModel, Event};

use crate::Leaf;
use crate::runner::Observation;

/// What a value at the end of a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bearing {
    /// Nobody has looked: the type of its place must tell.
    Unknown,
    /// The same wherever objects lie.
    Number,
    /// The address of something.
    Address,
    /// Computed from addresses, or made of a part of one.
    Mixed,
}

impl Bearing {
    /// Whether a value can be looked at as a number.
    pub fn is_number(self) -> bool {
        matches!(self, Bearing::Unknown | Bearing::Number)
    }

    /// Whether a value can be looked at as a pointer to something.
    pub fn is_address(self) -> bool {
        matches!(self, Bearing::Unknown | Bearing::Address)
    }
}

/// The end of the same run with all objects elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// How far away.
    distance: u64,
    outcome: Outcome,
    outputs: BTreeMap<Leaf, u64>,
    result: Option<Vec<Option<u8>>>,
}

impl Elsewhere {
    /// What a run with another placement has to tell.
    pub(crate) fn of(placement: Placement, model: DataModel, observation: Observation) -> Elsewhere {
        let Observation { outcome, outputs, result, .. } = observation;
        let outputs = outputs.into_iter().map(|output| (output.leaf, output.bits)).collect();
        Elsewhere { distance: placement.distance(model), outcome, outputs, result }
    }

    fn bearing(&self, here: u64, there: u64) -> Bearing {
        if here == there {
            Bearing::Number
        } else if here.wrapping_add(self.distance) == there {
            Bearing::Address
        } else {
            Bearing::Mixed
        }
    }
}

impl Observation {
    /// What the scalar result is.
    pub fn result_bearing(&self) -> Bearing {
        match (&self.outcome, self.elsewhere.as_ref().map(|other| (other, &other.outcome))) {
            (_, None) => Bearing::Unknown,
            (Outcome::Returned(Some(here)), Some((other, Outcome::Returned(Some(there))))) => {
                other.bearing(*here, *there)
            }
            _ => Bearing::Mixed,
        }
    }

    /// What a scalar of an input object is at the end, whether it changed or not.
    pub fn leaf_bearing(&self, leaf: Leaf) -> Bearing {
        let Some(other) = &self.elsewhere else { return Bearing::Unknown };
        // Outputs stand in the order of the leaves.
        let place = self.outputs.binary_search_by_key(&leaf, |output| output.leaf);
        let here = place.ok().map(|place| self.outputs[place].bits);
        match (here, other.outputs.get(&leaf)) {
            (Some(here), Some(&there)) => other.bearing(here, there),
            (None, None) => Bearing::Number,
            _ => Bearing::Mixed,
        }
    }

    /// What some bytes of a struct result are, as one value.
    pub fn bytes_bearing(&self, from: usize, count: usize) -> Bearing {
        let Some(other) = &self.elsewhere else { return Bearing::Unknown };
        let word = |bytes: &Option<Vec<Option<u8>>>| {
            let bytes = bytes.as_ref()?.get(from..from + count)?;
            bytes.iter().rev().try_fold(0u64, |word, byte| Some(word << 8 | u64::from((*byte)?)))
        };
        match (word(&self.result), word(&other.result)) {
            (Some(here), Some(there)) => other.bearing(here, there),
            (None, None) => Bearing::Number,
            _ => Bearing::Mixed,
        }
    }

    /// Whether the run takes another course if objects lie elsewhere.
    pub fn is_led_by_addresses(&self) -> bool {
        let kind = std::mem::discriminant::<Outcome>;
        self.elsewhere.as_ref().is_some_and(|other| kind(&other.outcome) != kind(&self.outcome))
    }
}

/// Whether a run stopped only because objects are aligned to less there than they ask for.
pub(crate) fn is_misaligned(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Event { event: Event::Misaligned, .. })
}
