//! What a function came back with.

use quipu_inputs::{Argument, Interface, Observation, Output};
use quipu_interp::{Outcome, scalar};
use quipu_ir::{Func, Module, SourceType, TypeId};
use quipu_num::Width;

use crate::members::{Member, members};

/// The result of a run.
#[derive(Clone, Debug)]
pub(crate) enum Returned {
    /// The function has no result, or did not come back.
    Nothing,
    Scalar(TypeId, u64),
    /// The scalars of a struct with their values, where they were written.
    Record(Vec<(Member, Option<u64>)>),
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
        (Some(bits), _) => Returned::Scalar(ty, *bits),
        (None, Some(bytes)) => {
            let named = members(module, ty, root).into_iter().filter(|member| member.named);
            let read = |member: Member| {
                let bits = bits_of(module, &member, bytes);
                (member, bits)
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
    let ty = scalar(module, member.ty)?;
    let (bit, width) = member.bits.unwrap_or((0, 8 * module.data_model.size_of(ty) as u32));
    let start = usize::try_from(member.offset).ok()?;
    let stored = bytes.get(start..start + (bit + width).div_ceil(8) as usize)?;
    let mut word: u128 = 0;
    for (n, byte) in stored.iter().enumerate() {
        word |= u128::from((*byte)?) << (8 * n);
    }
    Some(Width::new(width)?.wrap((word >> bit) as u64))
}
