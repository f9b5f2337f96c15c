//! Arithmetic that says whether it overflowed: `__builtin_add_overflow` and its kin.

use quipu_ir::{Ty, Value};
use quipu_num::{IntCmp, IntOp};
use rucc_sema::{ExprId, OverflowOp};
use rucc_types::TypeId;

use super::Lowered;
use super::function::FnLower;

impl FnLower<'_, '_> {
    /// The exact result in a type that holds all operands, then narrowed.
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
        let (a_ty, b_ty) = (self.unit.tast[a].ty, self.unit.tast[b].ty);
        let a = self.scalar(a)?;
        let b = self.scalar(b)?;
        let a = self.convert(a, a_ty, at, span)?;
        let b = self.convert(b, b_ty, at, span)?;
        let signed = self.unit.types.is_signed(at);
        let (result, wrapped) = self.wrapping(op, a, b, signed);
        let out_ty = self.unit.tast[out].ty;
        let to = if stores { self.unit.types.pointee(out_ty) } else { Some(out_ty) };
        let Some(to) = to else { return self.unit.unsupported("overflow builtin", span) };
        let narrow = self.convert(result, at, to, span)?;
        let back = self.convert(narrow, to, at, span)?;
        let cut = self.int_cmp(IntCmp::Ne, back, result);
        if stores {
            let ptr = self.scalar(out)?;
            let align = self.represent(|unit| unit.types.layout(to), span)?.align;
            self.store(ptr, narrow, align as u32, false);
        }
        let overflowed = self.int_op(IntOp::Or, wrapped, cut);
        self.resize_to(overflowed, ty, span)
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
    fn wrapping_product(&mut self, a: Value, b: Value, signed: bool) -> (Value, Value) {
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
