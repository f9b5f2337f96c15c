//! Questions about floats: NaN, infinite, normal, signed.

use quipu_ir::{Ty, Value};
use quipu_num::{Cast, FloatCmp, FloatUnary, FloatWidth, IntCmp, IntOp};
use rucc_sema::{Classify, ExprId};
use rucc_types::TypeId;

use super::Lowered;
use super::function::FnLower;

impl FnLower<'_, '_> {
    pub(super) fn classify(
        &mut self,
        op: Classify,
        a: Value,
        b: Value,
        ty: TypeId,
        span: rucc_diag::Span,
    ) -> Lowered<Value> {
        let Ty::Float(w) = self.body.ty(a) else {
            return self.unit.unsupported("classification of this type", span);
        };
        let truth = match op {
            Classify::Nan => self.float_cmp(FloatCmp::Ne, a, a),
            Classify::Infinite => self.is_infinite(a, w),
            Classify::Finite => self.is_finite(a, w),
            Classify::Normal => self.is_normal(a, w),
            Classify::SignBit => self.sign_bit(a, w),
            Classify::Unordered => {
                let x = self.float_cmp(FloatCmp::Ne, a, a);
                let y = self.float_cmp(FloatCmp::Ne, b, b);
                self.int_op(IntOp::Or, x, y)
            }
            Classify::LessGreater => {
                let x = self.float_cmp(FloatCmp::Lt, a, b);
                let y = self.float_cmp(FloatCmp::Lt, b, a);
                self.int_op(IntOp::Or, x, y)
            }
            Classify::InfiniteSign => {
                let infinite = self.is_infinite(a, w);
                let negative = self.sign_bit(a, w);
                let ty = self.scalar_ty(ty, span)?;
                let (one, minus, zero) = (self.int(ty, 1), self.int(ty, -1), self.int(ty, 0));
                let signed = self.select(negative, minus, one);
                return Ok(self.select(infinite, signed, zero));
            }
        };
        self.resize_to(truth, ty, span)
    }

    fn float_const(&mut self, w: FloatWidth, value: f64) -> Value {
        let bits = match w {
            FloatWidth::F32 => u64::from((value as f32).to_bits()),
            FloatWidth::F64 => value.to_bits(),
        };
        self.int(Ty::Float(w), i128::from(bits))
    }

    fn is_infinite(&mut self, a: Value, w: FloatWidth) -> Value {
        let magnitude = self.float_unary(FloatUnary::Abs, a);
        let infinity = self.float_const(w, f64::INFINITY);
        self.float_cmp(FloatCmp::Eq, magnitude, infinity)
    }

    fn is_finite(&mut self, a: Value, w: FloatWidth) -> Value {
        let magnitude = self.float_unary(FloatUnary::Abs, a);
        let infinity = self.float_const(w, f64::INFINITY);
        self.float_cmp(FloatCmp::Lt, magnitude, infinity)
    }

    fn is_normal(&mut self, a: Value, w: FloatWidth) -> Value {
        let magnitude = self.float_unary(FloatUnary::Abs, a);
        let smallest = match w {
            FloatWidth::F32 => f64::from(f32::MIN_POSITIVE),
            FloatWidth::F64 => f64::MIN_POSITIVE,
        };
        let smallest = self.float_const(w, smallest);
        let not_small = self.float_cmp(FloatCmp::Le, smallest, magnitude);
        let finite = self.is_finite(a, w);
        self.int_op(IntOp::And, not_small, finite)
    }

    fn sign_bit(&mut self, a: Value, w: FloatWidth) -> Value {
        let ty = Ty::int(w.bits());
        let bits = self.cast(ty, Cast::FloatBits(w), a);
        let zero = self.int(ty, 0);
        self.int_cmp(IntCmp::Slt, bits, zero)
    }

    pub(super) fn fp_classify(&mut self, value: ExprId, answers: &[ExprId]) -> Lowered<Value> {
        let span = self.unit.tast.expr_span(value);
        let a = self.scalar(value)?;
        let (Ty::Float(w), &[nan, infinite, normal, subnormal, zero]) = (self.body.ty(a), answers) else {
            return self.unit.unsupported("classification of this type", span);
        };
        let is_nan = self.float_cmp(FloatCmp::Ne, a, a);
        let is_infinite = self.is_infinite(a, w);
        let is_normal = self.is_normal(a, w);
        let nothing = self.float_const(w, 0.0);
        let is_zero = self.float_cmp(FloatCmp::Eq, a, nothing);
        let mut result = self.scalar(subnormal)?;
        for (test, answer) in [(is_zero, zero), (is_normal, normal), (is_infinite, infinite), (is_nan, nan)] {
            let answer = self.scalar(answer)?;
            result = self.select(test, answer, result);
        }
        Ok(result)
    }
}
