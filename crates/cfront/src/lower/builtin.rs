//! Compiler builtins: expressions that are neither operators nor calls.

use quipu_ir::{Body, Callee, Function, InstKind, Terminator, Ty, Unreachable, Value};
use quipu_num::{FloatOp, FloatUnary, Guard, IntCmp, IntOp, IntUnary, Width};
use rucc_sema::{BitCount, ExprId, ExprKind, Sign};
use rucc_types::TypeId;

use super::Lowered;
use super::function::FnLower;

impl FnLower<'_, '_> {
    /// A builtin without a value.
    pub(super) fn void_builtin(&mut self, expr: ExprId) -> Lowered<()> {
        match self.unit.tast[expr].kind {
            ExprKind::VaStart { list } => self.va_start(list),
            ExprKind::VaEnd { list } => self.scalar(list).map(drop),
            ExprKind::VaCopy { dst, src } => self.va_copy(dst, src),
            ExprKind::Prefetch { address, .. } => self.scalar(address).map(drop),
            ExprKind::Unreachable => {
                self.terminate(Terminator::Unreachable(Unreachable::Declared));
                Ok(())
            }
            ExprKind::Trap => {
                self.abort();
                Ok(())
            }
            ExprKind::Atomic { .. } => self.atomic(expr).map(drop),
            _ => self.unsupported_builtin(expr),
        }
    }

    /// A builtin with a scalar value.
    pub(super) fn builtin(&mut self, expr: ExprId) -> Lowered<Value> {
        let data = self.unit.tast[expr];
        let span = self.unit.tast.expr_span(expr);
        match data.kind {
            ExprKind::VaArg { list } => {
                let place = self.va_arg_place(list, data.ty, span)?;
                let ty = self.scalar_ty(data.ty, span)?;
                Ok(self.load(ty, place, 1, false))
            }
            ExprKind::Classify { op, lhs, rhs } => {
                let a = self.scalar(lhs)?;
                let b = rhs.map(|rhs| self.scalar(rhs)).transpose()?.unwrap_or(a);
                self.classify(op, a, b, data.ty, span)
            }
            ExprKind::FpClassify { value, answers } => {
                let answers: Vec<ExprId> = self.unit.tast[answers].to_vec();
                self.fp_classify(value, &answers)
            }
            ExprKind::Sign { op, lhs, rhs } => {
                let a = self.scalar(lhs)?;
                match (op, rhs) {
                    (Sign::Of, Some(rhs)) => {
                        let b = self.scalar(rhs)?;
                        Ok(self.float_op(FloatOp::CopySign, a, b))
                    }
                    _ => Ok(self.float_unary(FloatUnary::Abs, a)),
                }
            }
            ExprKind::Abs { operand } => {
                let value = self.scalar(operand)?;
                Ok(self.magnitude(value))
            }
            ExprKind::ByteSwap { operand } => {
                let value = self.scalar(operand)?;
                Ok(self.int_unary(IntUnary::Bswap, value))
            }
            ExprKind::BitCount { operand, count } => {
                let value = self.scalar(operand)?;
                let counted = self.bit_count(count, value);
                self.resize_to(counted, data.ty, span)
            }
            ExprKind::Overflow { op, at, args, stores } => {
                let args: Vec<ExprId> = self.unit.tast[args].to_vec();
                self.overflow(op, at, &args, stores, data.ty, span)
            }
            ExprKind::Atomic { .. } => match self.atomic(expr)? {
                Some(value) => Ok(value),
                None => self.unsupported_builtin(expr),
            },
            ExprKind::Expect { value, hint, .. } => {
                let value = self.scalar(value)?;
                if !self.is_constant(hint) {
                    self.effect(hint)?;
                }
                Ok(value)
            }
            ExprKind::ObjectSize { kind, .. } => {
                let ty = self.scalar_ty(data.ty, span)?;
                Ok(self.int(ty, if kind & 2 == 0 { -1 } else { 0 }))
            }
            ExprKind::ConstantP { .. } => {
                let ty = self.scalar_ty(data.ty, span)?;
                Ok(self.int(ty, 0))
            }
            ExprKind::Alloca { size } => {
                let signed = self.unit.types.is_signed(self.unit.tast[size].ty);
                let size = self.scalar(size)?;
                let size = self.as_address(size, signed);
                Ok(self.emit(Ty::Ptr, InstKind::Alloca { size, align: 16 }))
            }
            ExprKind::Decl(_) => self.function_address(expr),
            _ => self.unsupported_builtin(expr),
        }
    }

    pub(super) fn unsupported_builtin<T>(&mut self, expr: ExprId) -> Lowered<T> {
        let what = match self.unit.tast[expr].kind {
            ExprKind::Jump { .. } => "setjmp or longjmp builtin",
            ExprKind::FrameAddress { .. } => "frame or return address builtin",
            ExprKind::Shuffle { .. }
            | ExprKind::ShuffleVector { .. }
            | ExprKind::ConvertVector { .. }
            | ExprKind::Elementwise { .. } => "vector builtin",
            ExprKind::Complex { .. } => "complex number",
            ExprKind::Apply { .. } | ExprKind::ApplyArgs => "apply builtin",
            ExprKind::Atomic { .. } => "atomic builtin",
            _ => "compiler builtin",
        };
        self.unit.unsupported(what, self.unit.tast.expr_span(expr))
    }

    pub(super) fn resize_to(&mut self, value: Value, ty: TypeId, span: rucc_diag::Span) -> Lowered<Value> {
        match self.scalar_ty(ty, span)? {
            Ty::Int(w) => Ok(self.resize(value, w, false)),
            _ => self.unit.unsupported("type of this builtin", span),
        }
    }

    /// `__builtin_trap` ends the program as `abort` does.
    fn abort(&mut self) {
        let void = self.unit.linker.types.void_function();
        let span = self.span;
        let func = self.unit.linker.declare_function(Function {
            name: "abort".to_string(),
            source_name: "abort".to_string(),
            ty: void,
            params: Vec::new(),
            ret: None,
            returns_struct: false,
            variadic: false,
            noreturn: true,
            local: false,
            weak: false,
            span,
            body: Body::Declared,
        });
        self.call(Callee::Direct(func), Vec::new(), None);
        self.terminate(Terminator::Unreachable(Unreachable::NoReturn));
    }

    pub(super) fn select(&mut self, cond: Value, yes: Value, no: Value) -> Value {
        match self.constant_bits(cond) {
            Some(0) => no,
            Some(_) => yes,
            None => self.emit(self.body.ty(yes), InstKind::Select(cond, yes, no)),
        }
    }

    /// `abs`, undefined for the smallest value (7.22.6.1p2).
    fn magnitude(&mut self, value: Value) -> Value {
        let ty = self.body.ty(value);
        let zero = self.int(ty, 0);
        if let Ty::Int(w) = ty {
            self.guard(Guard::SubFits(w), zero, value);
        }
        let negative = self.int_cmp(IntCmp::Slt, value, zero);
        let negated = self.int_op(IntOp::Sub, zero, value);
        self.select(negative, negated, value)
    }

    fn bit_count(&mut self, count: BitCount, value: Value) -> Value {
        let ty = self.body.ty(value);
        let (zero, one) = (self.int(ty, 0), self.int(ty, 1));
        if let (BitCount::Leading | BitCount::Trailing, Ty::Int(w)) = (count, ty) {
            self.guard(Guard::AnyBit(w), value, value);
        }
        match count {
            BitCount::Leading => self.int_unary(IntUnary::Clz, value),
            BitCount::Trailing => self.int_unary(IntUnary::Ctz, value),
            BitCount::Ones => self.int_unary(IntUnary::Popcount, value),
            BitCount::Parity => {
                let ones = self.int_unary(IntUnary::Popcount, value);
                self.int_op(IntOp::And, ones, one)
            }
            BitCount::FirstSet => {
                let trailing = self.int_unary(IntUnary::Ctz, value);
                let position = self.int_op(IntOp::Add, trailing, one);
                let none = self.int_cmp(IntCmp::Eq, value, zero);
                self.select(none, zero, position)
            }
            BitCount::RedundantSign => {
                let top = self.int(ty, i128::from(ty.width().map_or(0, Width::bits)) - 1);
                let sign = self.int_op(IntOp::AShr, value, top);
                let folded = self.int_op(IntOp::Xor, value, sign);
                let leading = self.int_unary(IntUnary::Clz, folded);
                self.int_op(IntOp::Sub, leading, one)
            }
        }
    }
}
