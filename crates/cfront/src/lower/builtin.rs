//! Compiler builtins: expressions that are neither operators nor calls.

use quipu_ir::{Body, Callee, Function, InstKind, Terminator, Ty, Unreachable, Value};
use quipu_num::{Cast, FloatCmp, FloatOp, FloatUnary, FloatWidth, Guard, IntCmp, IntOp, IntUnary, Width};
use rucc_sema::{AtomicOp, BitCount, Classify, ExprId, ExprKind, OverflowOp, Rmw, Sign};
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
                let size = self.to_address(size, signed);
                Ok(self.emit(Ty::Ptr, InstKind::Alloca { size, align: 16 }))
            }
            ExprKind::Decl(_) => self.function_address(expr),
            _ => self.unsupported_builtin(expr),
        }
    }

    fn unsupported_builtin<T>(&mut self, expr: ExprId) -> Lowered<T> {
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

    fn resize_to(&mut self, value: Value, ty: TypeId, span: rucc_diag::Span) -> Lowered<Value> {
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
            span,
            body: Body::Declared,
        });
        self.call(Callee::Direct(func), Vec::new(), None);
        self.terminate(Terminator::Unreachable(Unreachable::NoReturn));
    }

    // ---- Floats ------------------------------------------------------------------------------------------

    fn classify(&mut self, op: Classify, a: Value, b: Value, ty: TypeId, span: rucc_diag::Span) -> Lowered<Value> {
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

    fn fp_classify(&mut self, value: ExprId, answers: &[ExprId]) -> Lowered<Value> {
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

    // ---- Integers ----------------------------------------------------------------------------------------

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

    /// `__builtin_add_overflow` and its kin: the exact result in a type that holds all operands, then narrowed.
    fn overflow(
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

    // ---- Atomics: one thread is modelled, so that they are plain accesses --------------------------------

    fn atomic(&mut self, expr: ExprId) -> Lowered<Option<Value>> {
        let data = self.unit.tast[expr];
        let ExprKind::Atomic { op, args, .. } = data.kind else { return self.unsupported_builtin(expr) };
        let span = self.unit.tast.expr_span(expr);
        let args: Vec<ExprId> = self.unit.tast[args].to_vec();
        if matches!(op, AtomicOp::Fence | AtomicOp::SignalFence) {
            return Ok(None);
        }
        let Some(&object) = args.first() else { return self.unsupported_builtin(expr) };
        let Some(object_ty) = self.unit.types.pointee(self.unit.tast[object].ty) else {
            return self.unsupported_builtin(expr);
        };
        let ptr = self.scalar(object)?;
        let ty = match op {
            AtomicOp::TestAndSet => Ty::I8,
            _ => self.scalar_ty(object_ty, span)?,
        };
        let align = self.unit.linker.data_model.size_of(ty) as u32;
        match (op, &args[1..]) {
            (AtomicOp::Load, _) => Ok(Some(self.load(ty, ptr, align, false))),
            (AtomicOp::LoadInto, &[result]) => {
                let value = self.load(ty, ptr, align, false);
                let result = self.scalar(result)?;
                self.store(result, value, align, false);
                Ok(None)
            }
            (AtomicOp::ExchangeInto, &[value, result]) => {
                let value = self.scalar(value)?;
                let result = self.scalar(result)?;
                let old = self.load(ty, ptr, align, false);
                self.store(ptr, value, align, false);
                self.store(result, old, align, false);
                Ok(None)
            }
            (AtomicOp::Store, &[value]) => {
                let value = self.scalar(value)?;
                self.store(ptr, value, align, false);
                Ok(None)
            }
            (AtomicOp::Exchange, &[value]) => {
                let value = self.scalar(value)?;
                let old = self.load(ty, ptr, align, false);
                self.store(ptr, value, align, false);
                Ok(Some(old))
            }
            (AtomicOp::Fetch(rmw), &[value]) => {
                let (old, _) = self.read_modify_write(rmw, ptr, value, ty, align)?;
                Ok(Some(old))
            }
            (AtomicOp::Update(rmw), &[value]) => {
                let (_, new) = self.read_modify_write(rmw, ptr, value, ty, align)?;
                Ok(Some(new))
            }
            (AtomicOp::TestAndSet, _) => {
                let old = self.load(ty, ptr, 1, false);
                let one = self.int(ty, 1);
                self.store(ptr, one, 1, false);
                let set = self.is_nonzero(old);
                self.resize_to(set, data.ty, span).map(Some)
            }
            (AtomicOp::CompareExchange, &[expected, desired]) => {
                let expected = self.scalar(expected)?;
                let wanted = self.load(ty, expected, align, false);
                let desired = self.scalar(desired)?;
                let (old, equal) = self.compare_and_swap(ptr, wanted, desired, ty, align);
                // Where they differ the found value is written back; where they are equal it is there already.
                self.store(expected, old, align, false);
                self.resize_to(equal, data.ty, span).map(Some)
            }
            (AtomicOp::SwapBool, &[wanted, desired]) => {
                let (wanted, desired) = (self.scalar(wanted)?, self.scalar(desired)?);
                let (_, equal) = self.compare_and_swap(ptr, wanted, desired, ty, align);
                self.resize_to(equal, data.ty, span).map(Some)
            }
            (AtomicOp::SwapValue, &[wanted, desired]) => {
                let (wanted, desired) = (self.scalar(wanted)?, self.scalar(desired)?);
                let (old, _) = self.compare_and_swap(ptr, wanted, desired, ty, align);
                Ok(Some(old))
            }
            _ => self.unsupported_builtin(expr),
        }
    }

    fn compare_and_swap(&mut self, ptr: Value, wanted: Value, desired: Value, ty: Ty, align: u32) -> (Value, Value) {
        let old = self.load(ty, ptr, align, false);
        let equal = self.int_cmp(IntCmp::Eq, old, wanted);
        let new = self.select(equal, desired, old);
        self.store(ptr, new, align, false);
        (old, equal)
    }

    fn read_modify_write(
        &mut self,
        rmw: Rmw,
        ptr: Value,
        value: ExprId,
        ty: Ty,
        align: u32,
    ) -> Lowered<(Value, Value)> {
        let signed = self.unit.types.is_signed(self.unit.tast[value].ty);
        let value = self.scalar(value)?;
        let old = self.load(ty, ptr, align, false);
        let new = match (ty, rmw) {
            (Ty::Ptr, Rmw::Add) => {
                let offset = self.to_address(value, signed);
                self.ptr_add(old, offset)
            }
            (Ty::Ptr, Rmw::Sub) => {
                let offset = self.to_address(value, signed);
                let zero = self.address_int(0);
                let back = self.int_op(IntOp::Sub, zero, offset);
                self.ptr_add(old, back)
            }
            (_, Rmw::Add) => self.int_op(IntOp::Add, old, value),
            (_, Rmw::Sub) => self.int_op(IntOp::Sub, old, value),
            (_, Rmw::And) => self.int_op(IntOp::And, old, value),
            (_, Rmw::Or) => self.int_op(IntOp::Or, old, value),
            (_, Rmw::Xor) => self.int_op(IntOp::Xor, old, value),
            (_, Rmw::Nand) => {
                let and = self.int_op(IntOp::And, old, value);
                self.complement(and)
            }
        };
        self.store(ptr, new, align, false);
        Ok((old, new))
    }
}
