//! Writes: assignment, compound assignment, increment and decrement.

use quipu_ir::{Ty, Value};
use quipu_num::Width;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_diag::Span;
use rucc_sema::{Conversion, ExprId, ExprKind};
use rucc_types::TypeId;

use super::Lowered;
use super::function::FnLower;

impl FnLower<'_, '_> {
    pub(super) fn assignment(
        &mut self,
        expr: ExprId,
        op: Option<BinaryOp>,
        computation: TypeId,
        lhs: ExprId,
        rhs: ExprId,
    ) -> Lowered<Value> {
        let span = self.unit.tast.expr_span(expr);
        let lhs_ty = self.unit.tast[lhs].ty;
        let Some(op) = op else {
            let place = self.place(lhs)?;
            let value = self.scalar(rhs)?;
            return Ok(self.write(place, value, lhs_ty));
        };
        // C leaves the order open; gcc evaluates the right side of a compound assignment first.
        let right = self.scalar(rhs)?;
        let place = self.place(lhs)?;
        let old = self.read(place, lhs_ty, span)?;
        let left = self.convert(old, lhs_ty, computation, span)?;
        let result = self.binary(op, (left, computation), (right, self.unit.tast[rhs].ty), span)?;
        let result = self.convert(result, computation, lhs_ty, span)?;
        Ok(self.write(place, result, lhs_ty))
    }

    /// A struct assignment; returns where the struct is.
    pub(super) fn assign_struct(&mut self, lhs: ExprId, rhs: ExprId) -> Lowered<Value> {
        let place = self.place(lhs)?;
        let is_copy = matches!(self.unit.tast[rhs].kind, ExprKind::Convert { kind: Conversion::Lvalue, .. });
        if is_copy {
            self.struct_into(rhs, place.ptr)?;
        } else {
            // A call may read the assigned object, or a part of it, until the moment it returns.
            let value = self.place(rhs)?;
            let (ty, span) = (self.unit.tast[lhs].ty, self.unit.tast.expr_span(rhs));
            self.copy_struct(place.ptr, value.ptr, ty, span)?;
        }
        Ok(place.ptr)
    }

    /// `++` and `--` (6.5.2.4, 6.5.3.1): the value is that before or after.
    pub(super) fn step(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> Lowered<Value> {
        let ty = self.unit.tast[operand].ty;
        let place = self.place(operand)?;
        let old = self.read(place, ty, span)?;
        let up = matches!(op, UnaryOp::PreInc | UnaryOp::PostInc);
        let new = self.stepped(old, ty, up, span)?;
        let new = self.write(place, new, ty);
        Ok(if matches!(op, UnaryOp::PreInc | UnaryOp::PreDec) { new } else { old })
    }

    /// A value plus or minus one, computed in the promoted type and brought back.
    fn stepped(&mut self, old: Value, ty: TypeId, up: bool, span: Span) -> Lowered<Value> {
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        match self.body.ty(old) {
            Ty::Ptr => {
                let size = self.represent(|unit| unit.types.pointee_size(ty), span)?;
                let bytes = i128::from(size);
                let offset = self.int(self.address_ty(), if up { bytes } else { -bytes });
                Ok(self.ptr_add(old, offset))
            }
            Ty::Float(w) => {
                let one =
                    if w.bits() == 32 { i128::from(1f32.to_bits()) } else { i128::from(1f64.to_bits()) };
                let one = self.int(self.body.ty(old), one);
                self.binary(op, (old, ty), (one, ty), span)
            }
            // Types below `int` are promoted, so that the sum itself cannot overflow.
            Ty::Int(w) if w < Width::W32 => {
                let signed = self.unit.types.is_signed(ty);
                let wide = self.resize(old, Width::W32, signed);
                let one = self.int(Ty::I32, if up { 1 } else { -1 });
                let sum = self.int_op(quipu_num::IntOp::Add, wide, one);
                if self.unit.types.is_bool(ty) {
                    return Ok(self.is_nonzero(sum));
                }
                Ok(self.resize(sum, w, signed))
            }
            scalar @ Ty::Int(_) => {
                let one = self.int(scalar, 1);
                self.binary(op, (old, ty), (one, ty), span)
            }
        }
    }
}
