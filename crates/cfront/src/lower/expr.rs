//! Scalar values, struct values, and expressions evaluated for their effects.

use quipu_ir::{Ty, Value, ValueDef};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Base, Const, Conversion, DeclKind, Eval, ExprId, ExprKind, Stmt, StmtId};
use rucc_types::TypeId;

use super::Lowered;
use super::cond::is_comparison;
use super::function::FnLower;
use super::global::label_number;
use super::place::{Place, Reach};

impl FnLower<'_, '_> {
    /// The value of a scalar expression.
    pub(super) fn scalar(&mut self, expr: ExprId) -> Lowered<Value> {
        if let Some(&value) = self.evaluated.get(&expr) {
            return Ok(value);
        }
        self.at(expr, |lower| lower.scalar_here(expr))
    }

    fn scalar_here(&mut self, expr: ExprId) -> Lowered<Value> {
        let data = self.unit.tast[expr];
        let span = self.unit.tast.expr_span(expr);
        match data.kind {
            ExprKind::Const(id) => self.constant(self.unit.tast[id], data.ty, span),
            ExprKind::Unary { op, operand } => self.unary(expr, op, operand),
            ExprKind::Binary { op, lhs, rhs } => self.binary_expr(expr, op, lhs, rhs),
            ExprKind::Assign { op, computation, lhs, rhs } => {
                self.assignment(expr, op, computation, lhs, rhs)
            }
            ExprKind::Cond { cond, then, otherwise } => self.conditional(expr, cond, then, otherwise),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs)?;
                self.scalar(rhs)
            }
            ExprKind::Cast(operand) | ExprKind::Convert { kind: Conversion::Arithmetic, operand }
                if self.unit.types.scalar(self.unit.tast[operand].ty).is_err() =>
            {
                self.constant_conversion(expr, operand)
            }
            ExprKind::Cast(operand) => {
                let value = self.scalar(operand)?;
                self.convert(value, self.unit.tast[operand].ty, data.ty, span)
            }
            ExprKind::Convert { kind, operand } => self.conversion(kind, operand, data.ty, span),
            ExprKind::Call { callee, args } => match self.call_expr(expr, callee, args, None)? {
                Some(value) => Ok(value),
                None => self.unit.unsupported("call without a value", span),
            },
            ExprKind::StmtExpr(block) => match self.stmt_expr(block, Wanted::Scalar)? {
                Some(value) => Ok(value),
                None => self.unit.unsupported("statement expression without a value", span),
            },
            // A member of a struct value that is no object, such as the result of a call.
            ExprKind::Member { .. } | ExprKind::Subscript { .. } => {
                let place = self.place(expr)?;
                self.read(place, data.ty, span)
            }
            ExprKind::LabelAddr(label) => Ok(self.int(Ty::Ptr, i128::from(label_number(label)))),
            _ => self.builtin(expr),
        }
    }

    /// A constant computed in a type without a representation: `DBL_MAX` is a `long double` cast to `double`.
    fn constant_conversion(&mut self, expr: ExprId, operand: ExprId) -> Lowered<Value> {
        let session = &self.unit.unit.session;
        let mut eval = Eval::new(self.unit.tast, &self.unit.unit.types, &session.target, &session.interner);
        match eval.constant(expr) {
            Ok(constant) => self.constant(constant, self.unit.tast[expr].ty, self.unit.tast.expr_span(expr)),
            Err(_) => {
                self.scalar_ty(self.unit.tast[operand].ty, self.unit.tast.expr_span(operand))?;
                self.unit.unsupported("conversion", self.unit.tast.expr_span(expr))
            }
        }
    }

    fn constant(&mut self, constant: Const, ty: TypeId, span: rucc_diag::Span) -> Lowered<Value> {
        let scalar = self.scalar_ty(ty, span)?;
        match constant {
            Const::Int(value) => Ok(self.int(scalar, value)),
            Const::Float(value) => Ok(self.body.constant(scalar, ValueDef::Const(value.to_bits() as u64))),
            Const::Address(address) => {
                let Ok(offset) = i64::try_from(address.offset) else {
                    return self.unit.unsupported("address constant", span);
                };
                let def = match address.base {
                    Base::Absolute => return Ok(self.int(scalar, address.offset)),
                    Base::Label(label) => return Ok(self.int(scalar, i128::from(label_number(label)))),
                    Base::Decl(decl) if self.unit.tast[decl].kind == DeclKind::Function => {
                        ValueDef::Func(self.unit.function(decl))
                    }
                    Base::Decl(decl) => ValueDef::Global(self.unit.object(decl)?, offset),
                    Base::Str(id) => {
                        let place = self.span;
                        ValueDef::Global(self.unit.literal(id, place), offset)
                    }
                };
                let address = self.body.constant(Ty::Ptr, def);
                match scalar {
                    Ty::Int(w) => {
                        let number = self.ptr_to_int(address);
                        Ok(self.resize(number, w, false))
                    }
                    _ => Ok(address),
                }
            }
            Const::Apart { to, from } => {
                Ok(self.int(scalar, i128::from(label_number(to)) - i128::from(label_number(from))))
            }
            Const::Complex { .. } | Const::ComplexInt { .. } => self.unit.unsupported("complex number", span),
        }
    }

    fn unary(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId) -> Lowered<Value> {
        let ty = self.unit.tast[expr].ty;
        let span = self.unit.tast.expr_span(expr);
        match op {
            UnaryOp::Plus => self.scalar(operand),
            UnaryOp::Minus => {
                let value = self.scalar(operand)?;
                let signed = self.unit.types.is_signed(ty);
                Ok(self.negate(value, signed))
            }
            UnaryOp::BitNot => {
                let value = self.scalar(operand)?;
                Ok(self.complement(value))
            }
            UnaryOp::Not => {
                let value = self.truth(operand)?;
                let no = self.not(value);
                let ty = self.scalar_ty(ty, span)?;
                Ok(self.widen_bool(no, ty))
            }
            UnaryOp::AddrOf => {
                let place = self.place_within(operand, Reach::OnePast)?;
                Ok(place.ptr)
            }
            // The value of a dereferenced function pointer is the pointer itself.
            UnaryOp::Deref => Ok(self.place(expr)?.ptr),
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.step(op, operand, span)
            }
            UnaryOp::Real | UnaryOp::Imag => self.unit.unsupported("complex number", span),
        }
    }

    fn binary_expr(&mut self, expr: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Lowered<Value> {
        let span = self.unit.tast.expr_span(expr);
        if is_comparison(op) || op.is_short_circuit() {
            let truth = self.truth(expr)?;
            let ty = self.scalar_ty(self.unit.tast[expr].ty, span)?;
            return Ok(self.widen_bool(truth, ty));
        }
        let (a, b) = self.operands(lhs, rhs)?;
        self.binary(op, (a, self.unit.tast[lhs].ty), (b, self.unit.tast[rhs].ty), span)
    }

    /// The operands of a binary operator. C leaves the order open (6.5p3); this is gcc's: from left to right, but
    /// a variable on the left is read last, after a call on the right may have changed it.
    pub(super) fn operands(&mut self, lhs: ExprId, rhs: ExprId) -> Lowered<(Value, Value)> {
        if self.is_variable(lhs) {
            let b = self.scalar(rhs)?;
            return Ok((self.scalar(lhs)?, b));
        }
        let a = self.scalar(lhs)?;
        Ok((a, self.scalar(rhs)?))
    }

    fn is_variable(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            // A volatile variable is read where it stands.
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => {
                matches!(self.unit.tast[operand].kind, ExprKind::Decl(_))
                    && !self.unit.types.is_volatile(self.unit.tast[operand].ty)
            }
            _ => false,
        }
    }

    fn conversion(
        &mut self,
        kind: Conversion,
        operand: ExprId,
        ty: TypeId,
        span: rucc_diag::Span,
    ) -> Lowered<Value> {
        match kind {
            Conversion::Lvalue => {
                let place = self.place(operand)?;
                self.read(place, ty, span)
            }
            // Only an address: a row just past the last one is formed, not read.
            Conversion::ArrayDecay => Ok(self.place_within(operand, Reach::OnePast)?.ptr),
            Conversion::FunctionDecay => self.function_address(operand),
            Conversion::Arithmetic | Conversion::Pointer => {
                let value = self.scalar(operand)?;
                self.convert(value, self.unit.tast[operand].ty, ty, span)
            }
            Conversion::Bool => self.truth(operand),
            Conversion::NullPointer => Ok(self.null()),
            Conversion::Void => self.unit.unsupported("value of a void expression", span),
            Conversion::Broadcast => self.unit.unsupported("vector type", span),
            Conversion::Hardbool => self.unit.unsupported("hardbool attribute", span),
        }
    }

    /// The address of the function that an expression designates.
    pub(super) fn function_address(&mut self, expr: ExprId) -> Lowered<Value> {
        match self.unit.tast[expr].kind {
            ExprKind::Unary { op: UnaryOp::Deref, operand } => self.scalar(operand),
            ExprKind::Decl(_) => Ok(self.place(expr)?.ptr),
            _ => self.scalar(expr),
        }
    }

    /// Evaluates an expression and drops its value.
    pub(super) fn effect(&mut self, expr: ExprId) -> Lowered<()> {
        self.at(expr, |lower| lower.effect_here(expr))
    }

    fn effect_here(&mut self, expr: ExprId) -> Lowered<()> {
        let data = self.unit.tast[expr];
        match data.kind {
            ExprKind::Convert { kind: Conversion::Void, operand } => self.effect(operand),
            ExprKind::Cast(operand) if self.unit.types.is_void(data.ty) => self.effect(operand),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs)?;
                self.effect(rhs)
            }
            ExprKind::Cond { cond, then, otherwise } => {
                self.conditional_arms(cond, then, otherwise, |lower, arm| lower.effect(arm))
            }
            ExprKind::Call { callee, args } => self.call_expr(expr, callee, args, None).map(drop),
            ExprKind::StmtExpr(block) => self.stmt_expr(block, Wanted::Nothing).map(drop),
            // Reading an object that is not volatile, only to drop the value, is no effect.
            ExprKind::Convert { kind: Conversion::Lvalue, operand }
                if self.unit.types.is_aggregate(data.ty)
                    || !self.unit.types.is_volatile(self.unit.tast[operand].ty) =>
            {
                self.place(operand).map(drop)
            }
            _ if self.unit.types.is_aggregate(data.ty) => self.place(expr).map(drop),
            _ if self.unit.types.is_void(data.ty) => self.void_builtin(expr),
            ExprKind::Decl(_) | ExprKind::Str(_) | ExprKind::Member { .. } | ExprKind::Subscript { .. } => {
                self.place(expr).map(drop)
            }
            _ => self.scalar(expr).map(drop),
        }
    }

    /// Evaluates a struct expression into the object at `dst`.
    pub(super) fn struct_into(&mut self, expr: ExprId, dst: Value) -> Lowered<()> {
        self.at(expr, |lower| lower.struct_into_here(expr, dst))
    }

    fn struct_into_here(&mut self, expr: ExprId, dst: Value) -> Lowered<()> {
        let data = self.unit.tast[expr];
        let span = self.unit.tast.expr_span(expr);
        match data.kind {
            ExprKind::Call { callee, args } => self.call_expr(expr, callee, args, Some(dst)).map(drop),
            ExprKind::Cond { cond, then, otherwise } => {
                self.conditional_arms(cond, then, otherwise, |lower, arm| lower.struct_into(arm, dst))
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs)?;
                self.struct_into(rhs, dst)
            }
            ExprKind::StmtExpr(block) => self.stmt_expr(block, Wanted::StructAt(dst)).map(drop),
            ExprKind::VaArg { list } => {
                let src = self.va_arg_place(list, data.ty, span)?;
                self.copy_bytes(dst, src, data.ty, span)
            }
            ExprKind::Assign { op: None, lhs, rhs, .. } => {
                let place = self.assign_struct(lhs, rhs)?;
                self.copy_bytes(dst, place, data.ty, span)
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand } | ExprKind::Cast(operand) => {
                let src = self.place(operand)?;
                self.copy_struct(dst, src, data.ty, span)
            }
            ExprKind::Decl(_)
            | ExprKind::Member { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Unary { op: UnaryOp::Deref, .. } => {
                let src = self.place(expr)?;
                self.copy_struct(dst, src, data.ty, span)
            }
            _ => self.unit.unsupported("struct value", span),
        }
    }

    /// Copies a struct. What is volatile in it is read scalar by scalar.
    pub(super) fn copy_struct(
        &mut self,
        dst: Value,
        src: Place,
        ty: TypeId,
        span: rucc_diag::Span,
    ) -> Lowered<()> {
        self.copy_bytes(dst, src.ptr, ty, span)?;
        self.copy_volatile(dst, src, ty, span)
    }

    fn copy_bytes(&mut self, dst: Value, src: Value, ty: TypeId, span: rucc_diag::Span) -> Lowered<()> {
        let size = self.represent(|unit| unit.types.layout(ty), span)?.size;
        self.copy(dst, src, size);
        Ok(())
    }

    /// GNU's `({ ... })`: the value is that of its last statement, if that is an expression.
    fn stmt_expr(&mut self, block: StmtId, wanted: Wanted) -> Lowered<Option<Value>> {
        let outer = self.span;
        let Stmt::Block(list) = self.unit.tast[block] else {
            self.stmt(block)?;
            return Ok(None);
        };
        self.label_scopes.enter(self.unit.tast, block);
        self.open_scope(block);
        self.enclosing_stmts.push(self.last_stmt);
        let stmts: Vec<StmtId> = self.unit.tast[list].to_vec();
        let mut result = None;
        for (n, &stmt) in stmts.iter().enumerate() {
            match (self.last_expression(stmt), wanted) {
                (Some(expr), Wanted::Scalar) if n + 1 == stmts.len() => result = Some(self.scalar(expr)?),
                (Some(expr), Wanted::StructAt(dst)) if n + 1 == stmts.len() => self.struct_into(expr, dst)?,
                _ => self.stmt(stmt)?,
            }
        }
        self.span = outer;
        self.enclosing_stmts.pop();
        self.close_scope();
        Ok(result)
    }

    fn last_expression(&mut self, stmt: StmtId) -> Option<ExprId> {
        match self.unit.tast[stmt] {
            Stmt::Expr(expr) => Some(expr),
            _ => None,
        }
    }
}

/// What the value of a statement expression is used for.
#[derive(Clone, Copy)]
enum Wanted {
    Nothing,
    Scalar,
    StructAt(Value),
}
