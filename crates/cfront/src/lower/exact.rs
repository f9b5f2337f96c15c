//! The overflow builtins on operands that no type of 64 bits holds together, as `unsigned long` beside `long`.
//!
//! An operand is `high * 2^64 + low` with `low` unsigned and `high` its sign, 0 or -1. So are the results, with a
//! `high` of -2 to 1 for sums and differences; a product whose magnitude takes more than 64 bits is only marked, for no
//! type that it could be stored in holds it.

use quipu_ir::{Ty, Value};
use quipu_num::{IntCmp, IntOp, Width};
use rucc_diag::Span;
use rucc_sema::OverflowOp;
use rucc_types::TypeId;

use super::Lowered;
use super::function::FnLower;

/// An exact integer.
#[derive(Clone, Copy)]
struct Exact {
    low: Value,
    high: Value,
    /// Whether it is out of the range of all types, and `high` means nothing.
    huge: Value,
}

impl FnLower<'_, '_> {
    /// The result narrowed to the type `to`, and whether that changes it.
    pub(super) fn exact_operation(
        &mut self,
        op: OverflowOp,
        (a, a_ty): (Value, TypeId),
        (b, b_ty): (Value, TypeId),
        to: TypeId,
        span: Span,
    ) -> Lowered<(Value, Value)> {
        let (Ty::Int(_), Ty::Int(_), Ty::Int(width)) =
            (self.body.ty(a), self.body.ty(b), self.scalar_ty(to, span)?)
        else {
            return self.unit.unsupported("overflow builtin", span);
        };
        let (a_signed, b_signed) = (self.unit.types.is_signed(a_ty), self.unit.types.is_signed(b_ty));
        let a = self.exact(a, a_signed);
        let b = self.exact(b, b_signed);
        let result = match op {
            OverflowOp::Add => self.exact_sum(a, b),
            OverflowOp::Sub => self.exact_difference(a, b),
            OverflowOp::Mul => self.exact_product(a, b),
        };
        let narrow = self.resize(result.low, width, false);
        let back = self.exact(narrow, self.unit.types.is_signed(to));
        let low_differs = self.int_cmp(IntCmp::Ne, back.low, result.low);
        let high_differs = self.int_cmp(IntCmp::Ne, back.high, result.high);
        let differs = self.int_op(IntOp::Or, low_differs, high_differs);
        Ok((narrow, self.int_op(IntOp::Or, differs, result.huge)))
    }

    fn exact(&mut self, value: Value, signed: bool) -> Exact {
        let low = self.resize(value, Width::W64, signed);
        let high = if signed { self.sign_of(low) } else { self.int(Ty::I64, 0) };
        Exact { low, high, huge: self.bool(false) }
    }

    /// -1 for a negative value, else 0.
    fn sign_of(&mut self, value: Value) -> Value {
        let shift = self.int(Ty::I64, 63);
        self.int_op(IntOp::AShr, value, shift)
    }

    fn exact_sum(&mut self, a: Exact, b: Exact) -> Exact {
        let low = self.int_op(IntOp::Add, a.low, b.low);
        let carries = self.int_cmp(IntCmp::Ult, low, a.low);
        let carry = self.resize(carries, Width::W64, false);
        let high = self.int_op(IntOp::Add, a.high, b.high);
        Exact { low, high: self.int_op(IntOp::Add, high, carry), huge: self.bool(false) }
    }

    fn exact_difference(&mut self, a: Exact, b: Exact) -> Exact {
        let low = self.int_op(IntOp::Sub, a.low, b.low);
        let borrows = self.int_cmp(IntCmp::Ult, a.low, b.low);
        let borrow = self.resize(borrows, Width::W64, false);
        let high = self.int_op(IntOp::Sub, a.high, b.high);
        Exact { low, high: self.int_op(IntOp::Sub, high, borrow), huge: self.bool(false) }
    }

    /// The magnitudes are multiplied; a magnitude that is not huge has 64 bits, and 0 has no sign.
    fn exact_product(&mut self, a: Exact, b: Exact) -> Exact {
        let (x, y) = (self.negate_where(a.high, a.low), self.negate_where(b.high, b.low));
        let (magnitude, huge) = self.wrapping_product(x, y, false);
        let sign = self.int_op(IntOp::Xor, a.high, b.high);
        let zero = self.int(Ty::I64, 0);
        let is_nonzero = self.int_cmp(IntCmp::Ne, magnitude, zero);
        let ones_if_nonzero = self.resize(is_nonzero, Width::W64, true);
        Exact {
            low: self.negate_where(sign, magnitude),
            high: self.int_op(IntOp::And, sign, ones_if_nonzero),
            huge,
        }
    }

    /// The negation where the mask is -1, the value itself where it is 0.
    fn negate_where(&mut self, mask: Value, value: Value) -> Value {
        let flipped = self.int_op(IntOp::Xor, value, mask);
        self.int_op(IntOp::Sub, flipped, mask)
    }
}
