//! Writes: assignment, compound assignment, increment and decrement.

use quipu_ir::{Ty, Value};
use quipu_num::{Cast, FloatWidth, Guard, Width};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_diag::Span;
use rucc_sema::{Category, Conversion, ExprId, ExprKind};
use rucc_types::TypeId;

use super::Lowered;
use super::function::FnLower;
use super::place::Place;

/// The type of an integer operand after the promotions.
#[derive(Clone, Copy)]
struct Operand {
    width: Width,
    signed: bool,
}

impl Operand {
    /// Whatever `int` can hold becomes `int`.
    fn promoted(width: Width, signed: bool) -> Operand {
        match width < Width::W32 {
            true => Operand { width: Width::W32, signed: true },
            false => Operand { width, signed },
        }
    }

    /// The usual arithmetic conversions (6.3.1.8).
    fn common(self, other: Operand) -> Operand {
        match self.width.cmp(&other.width) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Equal => Operand { width: self.width, signed: self.signed && other.signed },
        }
    }
}

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
        if self.is_narrow_field(lhs) {
            return self.compound_field(op, lhs, rhs, span);
        }
        let right = self.scalar(rhs)?;
        let place = self.place(lhs)?;
        let old = self.read_operand(lhs, place, span)?;
        let left = self.convert(old, lhs_ty, computation, span)?;
        let result = self.binary(op, (left, computation), (right, self.unit.tast[rhs].ty), span)?;
        let result = self.convert(result, computation, lhs_ty, span)?;
        Ok(self.write(place, result, lhs_ty))
    }

    /// Whether an lvalue is a bit-field declared with a type as wide as `int` or wider, which promotes by its width.
    fn is_narrow_field(&self, lhs: ExprId) -> bool {
        let data = self.unit.tast[lhs];
        data.category == Category::Bitfield
            && self.unit.types.integer(data.ty).is_some_and(|(bits, _)| bits >= 32)
    }

    /// `field op= value` where `rucc` computes in the field's declared type: the promotions and conversions are made
    /// here, from the type that the field has by its width.
    fn compound_field(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, span: Span) -> Lowered<Value> {
        let lhs_ty = self.unit.tast[lhs].ty;
        let rhs = self.before_conversion(rhs);
        let rhs_ty = self.unit.tast[rhs].ty;
        let right = self.scalar(rhs)?;
        let place = self.place(lhs)?;
        let old = self.read_operand(lhs, place, span)?;
        let signed = self.unit.types.is_signed(lhs_ty);
        let width = place.bits.map_or(Width::W64, |bits| bits.width);
        let field = Operand::promoted(width, signed);
        let old = self.resize(old, field.width, signed);
        let (Ty::Int(right_width), Some((bits, right_signed))) =
            (self.body.ty(right), self.unit.types.integer(rhs_ty))
        else {
            // In floats the width of the field does not matter.
            let Ty::Float(w) = self.body.ty(right) else {
                return self.unit.unsupported("bit-field operand", span);
            };
            return self.compound_field_float(op, (place, lhs_ty), (old, field), (right, w), span);
        };
        let other = Operand::promoted(Width::new(bits).unwrap_or(right_width), right_signed);
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let common = if is_shift { field } else { field.common(other) };
        let left = self.resize(old, common.width, field.signed);
        let right = if is_shift { right } else { self.resize(right, common.width, right_signed) };
        let result = self.int_binary(op, left, right, common.signed, span)?;
        let Ty::Int(full) = self.scalar_ty(lhs_ty, span)? else {
            return self.unit.unsupported("bit-field", span);
        };
        let result = self.resize(result, full, common.signed);
        Ok(self.write(place, result, lhs_ty))
    }

    fn compound_field_float(
        &mut self,
        op: BinaryOp,
        (place, lhs_ty): (Place, TypeId),
        (old, field): (Value, Operand),
        (right, w): (Value, FloatWidth),
        span: Span,
    ) -> Lowered<Value> {
        let to_float = match field.signed {
            true => Cast::SignedToFloat(field.width, w),
            false => Cast::UnsignedToFloat(field.width, w),
        };
        let left = self.cast(Ty::Float(w), to_float, old);
        let result = self.float_binary(op, left, right, span)?;
        let Ty::Int(full) = self.scalar_ty(lhs_ty, span)? else {
            return self.unit.unsupported("bit-field", span);
        };
        let signed = self.unit.types.is_signed(lhs_ty);
        self.guard(Guard::FloatFits { from: w, to: full, signed }, result, result);
        let to_int = if signed { Cast::FloatToSigned(w, full) } else { Cast::FloatToUnsigned(w, full) };
        let result = self.cast(Ty::Int(full), to_int, result);
        Ok(self.write(place, result, lhs_ty))
    }

    /// The operand as written, without the conversion to the type of the operation.
    fn before_conversion(&self, rhs: ExprId) -> ExprId {
        match self.unit.tast[rhs].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } => operand,
            _ => rhs,
        }
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
            self.copy_struct(place.ptr, value, ty, span)?;
        }
        Ok(place.ptr)
    }

    /// `++` and `--` (6.5.2.4, 6.5.3.1): the value is that before or after.
    pub(super) fn step(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> Lowered<Value> {
        let ty = self.unit.tast[operand].ty;
        let place = self.place(operand)?;
        let old = self.read_operand(operand, place, span)?;
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
