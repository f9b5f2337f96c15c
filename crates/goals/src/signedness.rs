//! Whether an integer of the IR was signed in the source.
//!
//! The IR keeps signs in operations only, and `==` has none. This looks at where a value comes from: its declaration or
//! the operations that made it. It matters at one place: whether a number next to the largest one exists.

use quipu_base::IdVec;
use quipu_ir::{Callee, Func, FuncBody, Function, InstKind, Module, SourceType, TypeId, Value, ValueDef};
use quipu_num::{Cast, IntOp, Width};

/// How many operations to look back.
const DEPTH: u32 = 8;

/// Whether two values of a function were signed in the source; where nothing tells, they were, as `int` is.
pub fn are_signed(module: &Module, func: Func, a: Value, b: Value) -> bool {
    let function = &module.functions[func];
    function.code().is_none_or(|body| Signs::new(module, function, body).of_both(a, b))
}

/// Where the values of a function come from.
pub(crate) struct Signs<'m> {
    module: &'m Module,
    body: &'m FuncBody,
    made_by: IdVec<Value, Option<&'m InstKind>>,
    declared: IdVec<Value, Option<TypeId>>,
}

impl<'m> Signs<'m> {
    pub(crate) fn new(module: &'m Module, function: &'m Function, body: &'m FuncBody) -> Signs<'m> {
        let mut made_by = IdVec::filled(None, body.values.len());
        for inst in body.blocks.iter().flat_map(|block| &block.insts) {
            if let Some(result) = inst.result {
                made_by[result] = Some(&inst.kind);
            }
        }
        let mut declared = IdVec::filled(None, body.values.len());
        for (&value, param) in body.blocks[body.entry()].params.iter().zip(&function.params) {
            declared[value] = param.source;
        }
        Signs { module, body, made_by, declared }
    }

    /// Whether operands that are compared for equality are signed; where nothing tells, they are, as `int` is.
    pub(crate) fn of_both(&self, a: Value, b: Value) -> bool {
        self.of(a, DEPTH).or_else(|| self.of(b, DEPTH)).unwrap_or(true)
    }

    /// Whether a value is signed; where nothing tells, it is.
    pub(crate) fn of_one(&self, value: Value) -> bool {
        self.of(value, DEPTH).unwrap_or(true)
    }

    fn of(&self, value: Value, depth: u32) -> Option<bool> {
        if let Some(ty) = self.declared[value] {
            return self.is_signed(ty);
        }
        let depth = depth.checked_sub(1)?;
        match self.made_by[value]? {
            InstKind::Cast(Cast::SExt(..), _) => Some(true),
            // The integer promotions make an `int` of every narrower type (6.3.1.1p2).
            InstKind::Cast(Cast::ZExt(from, _), _) if *from < Width::W32 => Some(true),
            InstKind::Int(IntOp::SDiv | IntOp::SRem | IntOp::AShr, ..) => Some(true),
            InstKind::Int(IntOp::UDiv | IntOp::URem | IntOp::LShr, ..) => Some(false),
            InstKind::Int(IntOp::Shl, a, _) => self.of(*a, depth),
            InstKind::Int(_, a, b) | InstKind::Select(_, a, b) => {
                self.of(*a, depth).or_else(|| self.of(*b, depth))
            }
            InstKind::Load { ptr, .. } => self.object(*ptr).and_then(|ty| self.is_signed(ty)),
            InstKind::Call(Callee::Direct(func), _) => self.is_signed(self.module.functions[*func].ty),
            _ => None,
        }
    }

    /// The type of the scalar object behind a pointer.
    fn object(&self, ptr: Value) -> Option<TypeId> {
        match (self.body.values[ptr].def, self.made_by[ptr]) {
            (ValueDef::Global(global, 0), _) => Some(self.module.globals[global].ty),
            (_, Some(InstKind::SlotAddr(slot))) => self.body.slots[*slot].ty,
            _ => None,
        }
    }

    /// Whether a type, or the result of a function type, is signed.
    fn is_signed(&self, ty: TypeId) -> Option<bool> {
        match &self.module.types[ty] {
            SourceType::Int { signed, .. } | SourceType::Enum { signed, .. } => Some(*signed),
            SourceType::Typedef { of, .. } => self.is_signed(*of),
            SourceType::Function { ret, .. } => self.is_signed(*ret),
            _ => None,
        }
    }
}
