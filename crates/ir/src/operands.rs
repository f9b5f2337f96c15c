//! The values that an instruction or a terminator reads, for passes that do not care what they are read for.

use crate::function::Value;
use crate::inst::{Callee, InstKind, Terminator};

impl InstKind {
    /// The values read, in the order of the text form.
    pub fn operands(&self) -> impl Iterator<Item = Value> {
        let (fixed, rest): ([Option<Value>; 3], &[Value]) = match self {
            InstKind::Int(_, a, b)
            | InstKind::IntCmp(_, a, b)
            | InstKind::Float(_, a, b)
            | InstKind::FloatCmp(_, a, b)
            | InstKind::PtrAdd(a, b)
            | InstKind::PtrDiff(a, b)
            | InstKind::Check(_, a, b) => ([Some(*a), Some(*b), None], &[]),
            InstKind::IntUnary(_, a)
            | InstKind::FloatUnary(_, a)
            | InstKind::Cast(_, a)
            | InstKind::PtrToInt(a)
            | InstKind::IntToPtr(a) => ([Some(*a), None, None], &[]),
            InstKind::Fma(a, b, c) | InstKind::Select(a, b, c) => ([Some(*a), Some(*b), Some(*c)], &[]),
            InstKind::Alloca { size, .. } => ([Some(*size), None, None], &[]),
            InstKind::Load { ptr, .. } | InstKind::LoadBits { ptr, .. } => ([Some(*ptr), None, None], &[]),
            InstKind::Store { ptr, value, .. } | InstKind::StoreBits { ptr, value, .. } => {
                ([Some(*ptr), Some(*value), None], &[])
            }
            InstKind::Copy { dst, src, .. } => ([Some(*dst), Some(*src), None], &[]),
            InstKind::Zero { dst, .. } | InstKind::Unspecify { dst, .. } => ([Some(*dst), None, None], &[]),
            InstKind::Call(Callee::Direct(_), args) => ([None; 3], args),
            InstKind::Call(Callee::Indirect(callee), args) => ([Some(*callee), None, None], args),
            InstKind::SlotAddr(_) | InstKind::SlotEnd(_) | InstKind::Stmt(_) | InstKind::Nothing => {
                ([None; 3], &[])
            }
        };
        fixed.into_iter().flatten().chain(rest.iter().copied())
    }

    /// The values read, mutable, in the same order.
    pub fn operands_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        let (fixed, rest): ([Option<&mut Value>; 3], &mut [Value]) = match self {
            InstKind::Int(_, a, b)
            | InstKind::IntCmp(_, a, b)
            | InstKind::Float(_, a, b)
            | InstKind::FloatCmp(_, a, b)
            | InstKind::PtrAdd(a, b)
            | InstKind::PtrDiff(a, b)
            | InstKind::Check(_, a, b) => ([Some(a), Some(b), None], &mut []),
            InstKind::IntUnary(_, a)
            | InstKind::FloatUnary(_, a)
            | InstKind::Cast(_, a)
            | InstKind::PtrToInt(a)
            | InstKind::IntToPtr(a) => ([Some(a), None, None], &mut []),
            InstKind::Fma(a, b, c) | InstKind::Select(a, b, c) => ([Some(a), Some(b), Some(c)], &mut []),
            InstKind::Alloca { size, .. } => ([Some(size), None, None], &mut []),
            InstKind::Load { ptr, .. } | InstKind::LoadBits { ptr, .. } => ([Some(ptr), None, None], &mut []),
            InstKind::Store { ptr, value, .. } | InstKind::StoreBits { ptr, value, .. } => {
                ([Some(ptr), Some(value), None], &mut [])
            }
            InstKind::Copy { dst, src, .. } => ([Some(dst), Some(src), None], &mut []),
            InstKind::Zero { dst, .. } | InstKind::Unspecify { dst, .. } => {
                ([Some(dst), None, None], &mut [])
            }
            InstKind::Call(Callee::Direct(_), args) => ([None, None, None], args),
            InstKind::Call(Callee::Indirect(callee), args) => ([Some(callee), None, None], args),
            InstKind::SlotAddr(_) | InstKind::SlotEnd(_) | InstKind::Stmt(_) | InstKind::Nothing => {
                ([None, None, None], &mut [])
            }
        };
        fixed.into_iter().flatten().chain(rest)
    }
}

impl Terminator {
    /// The value that decides or is returned; edge arguments are not counted.
    pub fn operand(&self) -> Option<Value> {
        match self {
            Terminator::Branch { value, .. } | Terminator::Switch { value, .. } => Some(*value),
            Terminator::Return(value) => *value,
            Terminator::Jump(_) | Terminator::ReturnMissing | Terminator::Unreachable(_) => None,
        }
    }

    /// The value that decides or is returned, mutable.
    pub fn operand_mut(&mut self) -> Option<&mut Value> {
        match self {
            Terminator::Branch { value, .. } | Terminator::Switch { value, .. } => Some(value),
            Terminator::Return(value) => value.as_mut(),
            Terminator::Jump(_) | Terminator::ReturnMissing | Terminator::Unreachable(_) => None,
        }
    }
}
