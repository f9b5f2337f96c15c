//! What a function came back with.

use quipu_inputs::{Argument, Bearing, Interface, Observation, Output};
use quipu_interp::{Outcome, scalar};
use quipu_ir::{Func, Module, SourceType, Ty, TypeId};
use quipu_num::Width;

use crate::members::{Member, members};
use crate::value::widened;

/// A scalar at the end of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) ty: TypeId,
    pub(crate) bits: u64,
    /// For a bit-field the first bit and the width.
    pub(crate) field: Option<(u32, u32)>,
    /// Whether it is a number.
    pub(crate) bearing: Bearing,
}

impl Found {
    /// The value of a scalar that a run changed.
    pub(crate) fn output(interface: &Interface, observation: &Observation, output: &Output) -> Found {
        let info = &interface.leaves[output.leaf];
        let bearing = observation.leaf_bearing(output.leaf);
        Found { ty: info.source, bits: output.bits, field: info.bits(), bearing }
    }

    /// Whether it is a pointer by its type.
    pub(crate) fn is_pointer(&self, module: &Module) -> bool {
        scalar(module, self.ty) == Some(Ty::Ptr)
    }

    /// The bits as those of the declared type.
    pub(crate) fn widened(&self, module: &Module) -> u64 {
        widened(module, self.ty, self.bits, self.field)
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub(crate) enum Returned {
    /// The function has no result, or did not come back.
    Nothing,
    Scalar(Found),
    /// The scalars of a struct with their values, where they were written.
    Record(Vec<(Member, Option<Found>)>),
}

/// The declared result type of a function.
pub(crate) fn result_type(module: &Module, func: Func) -> Option<TypeId> {
    match module.types[module.functions[func].ty] {
        SourceType::Function { ret, .. } => Some(ret),
        _ => None,
    }
}

/// The result of a run. The members of a struct are told as parts of `root`.
pub(crate) fn returned(module: &Module, func: Func, observation: &Observation, root: &str) -> Returned {
    let (Outcome::Returned(bits), Some(ty)) = (&observation.outcome, result_type(module, func)) else {
        return Returned::Nothing;
    };
    match (bits, &observation.result) {
        (Some(bits), _) => {
            let bearing = observation.result_bearing();
            Returned::Scalar(Found { ty, bits: *bits, field: None, bearing })
        }
        (None, Some(bytes)) => {
            let named = members(module, ty, root).into_iter().filter(|member| member.named);
            let read = |member: Member| {
                let found = bits_of(module, &member, bytes).map(|bits| {
                    let bearing = bearing_of(module, &member, observation);
                    Found { ty: member.ty, bits, field: member.bits, bearing }
                });
                (member, found)
            };
            Returned::Record(named.map(read).collect())
        }
        (None, None) => Returned::Nothing,
    }
}

/// The scalars that a run changed, as far as its caller sees them. A struct argument is a copy: what becomes of it stays
/// in the function.
pub(crate) fn visible_outputs<'a>(
    interface: &'a Interface,
    observation: &'a Observation,
) -> impl Iterator<Item = &'a Output> {
    observation.outputs.iter().filter(|output| {
        let object = interface.leaves[output.leaf].object();
        object.is_some_and(|object| !interface.arguments.contains(&Argument::Copy(object)))
    })
}

/// The bits of a member, if all of its bytes were written.
fn bits_of(module: &Module, member: &Member, bytes: &[Option<u8>]) -> Option<u64> {
    let (start, count) = bytes_of(module, member)?;
    let (bit, width) = member.bits.unwrap_or((0, 8 * count as u32));
    let stored = bytes.get(start..start + count)?;
    let mut word: u128 = 0;
    for (n, byte) in stored.iter().enumerate() {
        word |= u128::from((*byte)?) << (8 * n);
    }
    Some(Width::new(width)?.wrap((word >> bit) as u64))
}

/// Whether a member is a number; a bit-field if all of its bytes are.
fn bearing_of(module: &Module, member: &Member, observation: &Observation) -> Bearing {
    let Some((start, count)) = bytes_of(module, member) else { return Bearing::Mixed };
    match member.bits {
        None => observation.bytes_bearing(start, count),
        Some(_) => {
            let bearings = (start..start + count).map(|byte| observation.bytes_bearing(byte, 1));
            bearings.reduce(|a, b| if a == b { a } else { Bearing::Mixed }).unwrap_or(Bearing::Mixed)
        }
    }
}

/// The first byte of a member and the number of bytes.
fn bytes_of(module: &Module, member: &Member) -> Option<(usize, usize)> {
    let ty = scalar(module, member.ty)?;
    let (bit, width) = member.bits.unwrap_or((0, 8 * module.data_model.size_of(ty) as u32));
    Some((usize::try_from(member.offset).ok()?, (bit + width).div_ceil(8) as usize))
}
