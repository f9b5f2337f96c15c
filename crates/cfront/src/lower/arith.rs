//! Operators, each with the checks that C demands of its operands.

use quipu_ir::{InstKind, Ty, Value};
use quipu_num::{FloatCmp, FloatOp, FloatUnary, Guard, IntCmp, IntOp};
use rucc_ast::BinaryOp;
use rucc_diag::Span;
use rucc_sema::ExprId;
use rucc_types::TypeId;

use super::Lowered;
use super::function::FnLower;

impl FnLower<'_, '_> {
    /// A binary operator that is neither logical nor a comparison, on evaluated operands. `ty` is the type of the
    /// operation; the operands have it too, but for shifts and pointer arithmetic.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        (a, a_ty): (Value, TypeId),
        (b, b_ty): (Value, TypeId),
        span: Span,
    ) -> Lowered<Value> {
        match (self.body.ty(a), self.body.ty(b)) {
            (Ty::Ptr, Ty::Ptr) => self.pointer_difference(a, b, a_ty, span),
            (Ty::Ptr, Ty::Int(_)) => self.pointer_step(op, a, a_ty, b, b_ty, span),
            (Ty::Int(_), Ty::Ptr) => self.pointer_step(op, b, b_ty, a, a_ty, span),
            (Ty::Float(_), Ty::Float(_)) => self.float_binary(op, a, b, span),
            (Ty::Int(_), Ty::Int(_)) => {
                let signed = self.unit.types.is_signed(a_ty);
                self.int_binary(op, a, b, signed, span)
            }
            _ => self.unit.unsupported("operands of this operator", span),
        }
    }

    pub(super) fn int_binary(
        &mut self,
        op: BinaryOp,
        a: Value,
        b: Value,
        signed: bool,
        span: Span,
    ) -> Lowered<Value> {
        let Ty::Int(w) = self.body.ty(a) else { unreachable!("checked by the caller") };
        let checked = |lower: &mut Self, guard, op| {
            if signed {
                lower.guard(guard, a, b);
            }
            Ok(lower.int_op(op, a, b))
        };
        match op {
            BinaryOp::Add => checked(self, Guard::AddFits(w), IntOp::Add),
            BinaryOp::Sub => checked(self, Guard::SubFits(w), IntOp::Sub),
            BinaryOp::Mul => checked(self, Guard::MulFits(w), IntOp::Mul),
            BinaryOp::Div | BinaryOp::Rem => {
                self.guard(Guard::NonZero(w), a, b);
                let op = match (op, signed) {
                    (BinaryOp::Div, true) => IntOp::SDiv,
                    (BinaryOp::Div, false) => IntOp::UDiv,
                    (_, true) => IntOp::SRem,
                    (_, false) => IntOp::URem,
                };
                checked(self, Guard::QuotientFits(w), op)
            }
            BinaryOp::BitAnd => Ok(self.int_op(IntOp::And, a, b)),
            BinaryOp::BitOr => Ok(self.int_op(IntOp::Or, a, b)),
            BinaryOp::BitXor => Ok(self.int_op(IntOp::Xor, a, b)),
            BinaryOp::Shl | BinaryOp::Shr => Ok(self.shift(op, a, b, signed)),
            _ => self.unit.unsupported("operator", span),
        }
    }

    /// The amount of a shift has a type of its own.
    fn shift(&mut self, op: BinaryOp, a: Value, amount: Value, signed: bool) -> Value {
        let (Ty::Int(w), Ty::Int(amount_width)) = (self.body.ty(a), self.body.ty(amount)) else {
            unreachable!("a shift should have integer operands")
        };
        self.guard(Guard::ShiftInRange { amount: amount_width, shifted: w }, a, amount);
        // In range, the amount fits any width of 8 bits or more; a negative one did not pass the guard.
        let amount = self.resize(amount, w, false);
        match op {
            BinaryOp::Shl => {
                if signed {
                    self.guard(Guard::ShlFits(w), a, amount);
                }
                self.int_op(IntOp::Shl, a, amount)
            }
            _ if signed => self.int_op(IntOp::AShr, a, amount),
            _ => self.int_op(IntOp::LShr, a, amount),
        }
    }

    pub(super) fn float_binary(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let op = match op {
            BinaryOp::Add => FloatOp::Add,
            BinaryOp::Sub => FloatOp::Sub,
            BinaryOp::Mul => FloatOp::Mul,
            BinaryOp::Div => FloatOp::Div,
            _ => return self.unit.unsupported("operator on floats", span),
        };
        Ok(self.float_op(op, a, b))
    }

    /// `p + n`, `n + p` or `p - n`.
    fn pointer_step(
        &mut self,
        op: BinaryOp,
        ptr: Value,
        ptr_ty: TypeId,
        count: Value,
        count_ty: TypeId,
        span: Span,
    ) -> Lowered<Value> {
        let size = self.represent(|unit| unit.types.pointee_size(ptr_ty), span)?;
        let signed = self.unit.types.is_signed(count_ty);
        let offset = self.scaled(count, signed, size);
        Ok(match op {
            BinaryOp::Sub => {
                let zero = self.address_int(0);
                let back = self.int_op(IntOp::Sub, zero, offset);
                self.ptr_add(ptr, back)
            }
            _ => self.ptr_add(ptr, offset),
        })
    }

    /// A count of elements as a number of bytes.
    pub(super) fn scaled(&mut self, count: Value, signed: bool, size: u64) -> Value {
        let count = self.as_address(count, signed);
        if size == 1 {
            return count;
        }
        let size = self.address_int(size);
        self.int_op(IntOp::Mul, count, size)
    }

    /// `p - q` in elements (6.5.6p9).
    fn pointer_difference(&mut self, a: Value, b: Value, ty: TypeId, span: Span) -> Lowered<Value> {
        let size = self.represent(|unit| unit.types.pointee_size(ty), span)?;
        self.same_object(a, b);
        let ty = self.address_ty();
        let bytes = self.emit(ty, InstKind::PtrDiff(a, b));
        if size <= 1 {
            return Ok(bytes);
        }
        let size = self.address_int(size);
        Ok(self.int_op(IntOp::SDiv, bytes, size))
    }

    /// A comparison as an `i1`.
    pub(super) fn comparison(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Lowered<Value> {
        let (a, b) = self.operands(lhs, rhs)?;
        let signed = self.unit.types.is_signed(self.unit.tast[lhs].ty);
        let (a, b, op) = match op {
            BinaryOp::Gt => (b, a, BinaryOp::Lt),
            BinaryOp::Ge => (b, a, BinaryOp::Le),
            op => (a, b, op),
        };
        if let Ty::Float(_) = self.body.ty(a) {
            let cmp = match op {
                BinaryOp::Eq => FloatCmp::Eq,
                BinaryOp::Ne => FloatCmp::Ne,
                BinaryOp::Lt => FloatCmp::Lt,
                _ => FloatCmp::Le,
            };
            return Ok(self.float_cmp(cmp, a, b));
        }
        if self.body.ty(a) == Ty::Ptr && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.same_object(a, b);
        }
        let cmp = match (op, signed) {
            (BinaryOp::Eq, _) => IntCmp::Eq,
            (BinaryOp::Ne, _) => IntCmp::Ne,
            (BinaryOp::Lt, true) => IntCmp::Slt,
            (BinaryOp::Lt, false) => IntCmp::Ult,
            (_, true) => IntCmp::Sle,
            (_, false) => IntCmp::Ule,
        };
        Ok(self.int_cmp(cmp, a, b))
    }

    /// Unary minus on a promoted operand.
    pub(super) fn negate(&mut self, value: Value, signed: bool) -> Value {
        match self.body.ty(value) {
            Ty::Float(_) => self.float_unary(FloatUnary::Neg, value),
            ty => {
                let zero = self.int(ty, 0);
                if let (Ty::Int(w), true) = (ty, signed) {
                    self.guard(Guard::SubFits(w), zero, value);
                }
                self.int_op(IntOp::Sub, zero, value)
            }
        }
    }

    /// `~x` on a promoted operand.
    pub(super) fn complement(&mut self, value: Value) -> Value {
        let ones = self.int(self.body.ty(value), -1);
        self.int_op(IntOp::Xor, value, ones)
    }
}
