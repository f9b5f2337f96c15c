//! Reads of volatile objects: the access must be a good one, but the value comes from outside.

use quipu_ir::Span;

use super::World;
use crate::code::Asked;
use crate::input::{Held, InputKind, InputRequest};
use crate::memory::value_width;
use crate::outcome::{Fallible, Stop};

/// Reads a volatile object at an address.
#[inline(never)]
pub(super) fn ask(world: &mut World<'_>, address: u64, asked: Asked, span: Span) -> Fallible<u64> {
    let Asked { ty, align_mask, bit } = asked;
    let bits = world.memory.held(address, ty, align_mask, bit)?;
    let held = Some(Held { address, bit, bits });
    let request = InputRequest { function: "", ty, kind: InputKind::Volatile, span, held };
    match world.inputs.next(request) {
        Some(bits) => Ok(value_width(world.memory.data_model(), ty).wrap(bits)),
        None => Err(Box::new(Stop::Inputs("a volatile object".to_string()))),
    }
}
