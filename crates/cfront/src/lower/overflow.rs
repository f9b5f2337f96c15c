//! Arithmetic that says whether it overflowed: `__builtin_add_overflow` and its kin.
//!
//! The result is exact, stored as far as the place it goes to holds it. Where one type of up to 64 bits holds all
//! operands, the operation is done there; other mixtures ([`super::exact`]) take more.

use quipu_ir::{Ty, Value};
use quipu_num::{IntCmp, IntOp};
use rucc_sema::{ExprId, ExprKind, OverflowOp};
use rucc_types::TypeId;

use super::Lowered;
use super::function::FnLower;

impl FnLower<'_, '_> {
    /// A call of one of the builtins; `at` is the type that `rucc` would compute in.
    pub(super) fn overflow(
        &mut self,
        op: OverflowOp,
        at: TypeId,
        args: &[ExprId],
        stores: bool,
        ty: TypeId,
        span: rucc_diag::Span,
    ) -> Lowered<Value> {
        let &[a, b, out] = args else { return self.unit.unsupported("overflow builtin", span) };
        let out_ty = self.unit.tast[out].ty;
        let to = if stores { self.unit.types.pointee(out_ty) } else { Some(out_ty) };
        let Some(to) = to else { return self.unit.unsupported("overflow builtin", span) };
        if !stores {
            self.effect_of_type_argument(out)?;
        }
        let (a_ty, b_ty) = (self.unit.tast[a].ty, self.unit.tast[b].ty);
        let a = (self.scalar(a)?, a_ty);
        let b = (self.scalar(b)?, b_ty);
        let (narrow, overflowed) = match self.holds_all(at, [a_ty, b_ty, to]) {
            true => self.operation_at(op, at, a, b, to, span)?,
            false => self.exact_operation(op, a, b, to, span)?,
        };
        if stores {
            let ptr = self.scalar(out)?;
            let align = self.represent(|unit| unit.types.layout(to), span)?.align;
            self.store(ptr, narrow, align as u32, false);
        }
        self.resize_to(overflowed, ty, span)
    }

    /// Of the last argument of `__builtin_add_overflow_p` gcc takes the type and the side effects, which come first;
    /// its value, though cast, is never read.
    fn effect_of_type_argument(&mut self, mut expr: ExprId) -> Lowered<()> {
        while let ExprKind::Cast(operand) = self.unit.tast[expr].kind {
            expr = operand;
        }
        if self.is_constant(expr) { Ok(()) } else { self.effect(expr) }
    }

    /// Whether a type has at most 64 bits and holds every value of the others.
    fn holds_all(&self, at: TypeId, others: [TypeId; 3]) -> bool {
        let Some((bits, signed)) = self.unit.types.integer(at) else { return false };
        let holds = |other: TypeId| match self.unit.types.integer(other) {
            Some((other_bits, other_signed)) if other_signed == signed => other_bits <= bits,
            Some((other_bits, other_signed)) => signed && !other_signed && other_bits < bits,
            None => false,
        };
        bits <= 64 && others.into_iter().all(holds)
    }

    /// The result narrowed to the type `to`, and whether that changes it. All is done in a type that holds all
    /// operands and `to`.
    fn operation_at(
        &mut self,
        op: OverflowOp,
        at: TypeId,
        (a, a_ty): (Value, TypeId),
        (b, b_ty): (Value, TypeId),
        to: TypeId,
        span: rucc_diag::Span,
    ) -> Lowered<(Value, Value)> {
        let a = self.convert(a, a_ty, at, span)?;
        let b = self.convert(b, b_ty, at, span)?;
        let signed = self.unit.types.is_signed(at);
        let (result, wrapped) = self.wrapping(op, a, b, signed);
        let narrow = self.convert(result, at, to, span)?;
        let back = self.convert(narrow, to, at, span)?;
        let cut = self.int_cmp(IntCmp::Ne, back, result);
        Ok((narrow, self.int_op(IntOp::Or, wrapped, cut)))
    }

    /// A wrapped result, and whether it differs from the exact one.
    fn wrapping(&mut self, op: OverflowOp, a: Value, b: Value, signed: bool) -> (Value, Value) {
        let ty = self.body.ty(a);
        let zero = self.int(ty, 0);
        match (op, signed) {
            (OverflowOp::Add, false) => {
                let sum = self.int_op(IntOp::Add, a, b);
                (sum, self.int_cmp(IntCmp::Ult, sum, a))
            }
            (OverflowOp::Sub, false) => {
                let difference = self.int_op(IntOp::Sub, a, b);
                (difference, self.int_cmp(IntCmp::Ult, a, b))
            }
            // The sign of the result is wrong: it differs from that of both terms of the sum.
            (OverflowOp::Add, true) => {
                let sum = self.int_op(IntOp::Add, a, b);
                let (x, y) = (self.int_op(IntOp::Xor, a, sum), self.int_op(IntOp::Xor, b, sum));
                let both = self.int_op(IntOp::And, x, y);
                (sum, self.int_cmp(IntCmp::Slt, both, zero))
            }
            (OverflowOp::Sub, true) => {
                let difference = self.int_op(IntOp::Sub, a, b);
                let (x, y) = (self.int_op(IntOp::Xor, a, b), self.int_op(IntOp::Xor, a, difference));
                let both = self.int_op(IntOp::And, x, y);
                (difference, self.int_cmp(IntCmp::Slt, both, zero))
            }
            (OverflowOp::Mul, _) => self.wrapping_product(a, b, signed),
        }
    }

    /// The product overflowed unless dividing by one factor gives the other back.
    pub(super) fn wrapping_product(&mut self, a: Value, b: Value, signed: bool) -> (Value, Value) {
        let ty = self.body.ty(a);
        let zero = self.int(ty, 0);
        let product = self.int_op(IntOp::Mul, a, b);
        let nonzero = self.int_cmp(IntCmp::Ne, a, zero);
        let quotient = self.int_op(if signed { IntOp::SDiv } else { IntOp::UDiv }, product, a);
        let mut wrong = self.int_cmp(IntCmp::Ne, quotient, b);
        if let (true, Ty::Int(w)) = (signed, ty) {
            // -1 times the smallest value wraps to itself, and dividing wraps again.
            let (minus, smallest) = (self.int(ty, -1), self.int(ty, i128::from(w.min_signed())));
            let a_is_minus = self.int_cmp(IntCmp::Eq, a, minus);
            let b_is_smallest = self.int_cmp(IntCmp::Eq, b, smallest);
            let special = self.int_op(IntOp::And, a_is_minus, b_is_smallest);
            wrong = self.int_op(IntOp::Or, wrong, special);
        }
        (product, self.int_op(IntOp::And, nonzero, wrong))
    }
}
