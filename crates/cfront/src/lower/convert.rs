//! Conversions between scalar types.

use quipu_ir::{Ty, Value};
use quipu_num::{Cast, Guard, Width};
use rucc_diag::Span;
use rucc_types::TypeId;

use super::Lowered;
use super::function::FnLower;

impl FnLower<'_, '_> {
    /// Converts a value from one scalar type to another (6.3.1, 6.3.2.3).
    pub(super) fn convert(&mut self, value: Value, from: TypeId, to: TypeId, span: Span) -> Lowered<Value> {
        if self.unit.types.is_bool(to) {
            return Ok(self.is_nonzero(value));
        }
        let target = self.scalar_ty(to, span)?;
        let from_signed = self.unit.types.is_signed(from);
        let to_signed = self.unit.types.is_signed(to);
        Ok(match (self.body.ty(value), target) {
            (Ty::Int(_), Ty::Int(w)) => self.resize(value, w, from_signed),
            (Ty::Int(w), Ty::Float(f)) => {
                let op = if from_signed { Cast::SignedToFloat(w, f) } else { Cast::UnsignedToFloat(w, f) };
                self.cast(target, op, value)
            }
            (Ty::Float(f), Ty::Int(w)) => {
                self.guard(Guard::FloatFits { from: f, to: w, signed: to_signed }, value, value);
                let op = if to_signed { Cast::FloatToSigned(f, w) } else { Cast::FloatToUnsigned(f, w) };
                self.cast(target, op, value)
            }
            (Ty::F32, Ty::F64) => self.cast(target, Cast::Widen, value),
            (Ty::F64, Ty::F32) => self.cast(target, Cast::Narrow, value),
            (Ty::Ptr, Ty::Ptr) => {
                self.unit.view(from, to);
                value
            }
            (Ty::Float(_), Ty::Float(_)) => value,
            (Ty::Ptr, Ty::Int(w)) => {
                let address = self.ptr_to_int(value);
                self.resize(address, w, false)
            }
            (Ty::Int(_), Ty::Ptr) => {
                let address = self.as_address(value, from_signed);
                self.int_to_ptr(address)
            }
            (Ty::Float(_), Ty::Ptr) | (Ty::Ptr, Ty::Float(_)) => {
                return self.unit.unsupported("conversion between a pointer and a float", span);
            }
        })
    }

    /// An integer brought to the width of addresses.
    pub(super) fn as_address(&mut self, value: Value, signed: bool) -> Value {
        let width = self.address_width();
        self.resize(value, width, signed)
    }

    /// An `i1` as a C `int` or another integer type.
    pub(super) fn widen_bool(&mut self, value: Value, ty: Ty) -> Value {
        match ty {
            Ty::Int(w) if w != Width::W1 => self.resize(value, w, false),
            _ => value,
        }
    }
}
