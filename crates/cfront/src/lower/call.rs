//! Calls and variadic arguments.
//!
//! A struct argument is a pointer to a copy, a struct result is written through a pointer in front of the
//! arguments. Variadic arguments are packed into one object, each at a multiple of eight bytes, and the callee gets
//! a pointer to it behind the other arguments.

use quipu_ir::{Callee, Terminator, Ty, Unreachable, Value};
use quipu_num::{FloatOp, FloatUnary};
use rucc_sema::{Conversion, DeclId, ExprId, ExprKind, ExprList};
use rucc_types::TypeId;

use super::Lowered;
use super::function::FnLower;

/// The alignment of a packed variadic argument.
const PACKED: u64 = 8;

impl FnLower<'_, '_> {
    /// The function that a callee expression names directly.
    pub(super) fn direct_callee(&self, callee: ExprId) -> Option<DeclId> {
        match self.unit.tast[callee].kind {
            ExprKind::Convert { kind: Conversion::FunctionDecay, operand } => self.direct_callee(operand),
            ExprKind::Decl(decl) if self.unit.tast[decl].kind == rucc_sema::DeclKind::Function => Some(decl),
            _ => None,
        }
    }

    pub(super) fn callee_name(&self, callee: ExprId) -> Option<&str> {
        self.direct_callee(callee).and_then(|decl| self.unit.decl_name(decl))
    }

    /// A call. A struct result goes to `dst`, or to an object that nobody reads.
    pub(super) fn call_expr(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: ExprList,
        dst: Option<Value>,
    ) -> Lowered<Option<Value>> {
        let args: Vec<ExprId> = self.unit.tast[args].to_vec();
        let direct = self.direct_callee(callee);
        if let Some(decl) = direct
            && let Some(value) = self.exact_function(decl, &args)?
        {
            return Ok(Some(value));
        }
        self.refuse_second_return(expr, direct)?;
        let span = self.unit.tast.expr_span(expr);
        let Some(signature) = self.unit.types.signature(self.unit.tast[callee].ty) else {
            return self.unit.unsupported("call of this type", span);
        };
        let target = match direct {
            Some(_) => None,
            None => Some(self.scalar(callee)?),
        };
        let fixed = if signature.variadic { signature.params.len().min(args.len()) } else { args.len() };
        let mut values = self.arguments(&args, fixed)?;
        let packed = values.split_off(fixed);
        let mut passed = Vec::with_capacity(values.len() + 2);
        let returns_struct = self.unit.types.is_aggregate(signature.ret);
        if returns_struct {
            passed.push(self.struct_result_place(signature.ret, dst, span)?);
        }
        passed.append(&mut values);
        if signature.variadic {
            passed.push(self.pack(&args[fixed..], &packed)?);
        }
        let ret = match returns_struct || self.unit.types.is_void(signature.ret) {
            true => None,
            false => Some(self.scalar_ty(signature.ret, span)?),
        };
        let (callee, noreturn) = self.callee(direct, target, &passed, signature.prototyped);
        let result = self.call(callee, passed, ret);
        if noreturn {
            self.terminate(Terminator::Unreachable(Unreachable::NoReturn));
        }
        Ok(result)
    }

    fn callee(
        &mut self,
        direct: Option<DeclId>,
        target: Option<Value>,
        passed: &[Value],
        prototyped: bool,
    ) -> (Callee, bool) {
        match (direct, target) {
            (Some(decl), _) => {
                let func = self.unit.function(decl);
                if !prototyped {
                    let types: Vec<Ty> = passed.iter().map(|&value| self.body.ty(value)).collect();
                    self.unit.linker.adopt_call_types(func, &types);
                }
                (Callee::Direct(func), self.unit.linker.function(func).noreturn)
            }
            (None, target) => {
                (Callee::Indirect(target.expect("an indirect callee should have a value")), false)
            }
        }
    }

    /// `setjmp` returns more than once, which no control-flow graph of ours shows.
    fn refuse_second_return(&mut self, expr: ExprId, direct: Option<DeclId>) -> Lowered<()> {
        const JUMPS: [&str; 7] =
            ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp"];
        let Some(name) = direct.and_then(|decl| self.unit.decl_name(decl)) else { return Ok(()) };
        if JUMPS.contains(&name) || name == "vfork" {
            return self.unit.unsupported(format!("call of `{name}`"), self.unit.tast.expr_span(expr));
        }
        Ok(())
    }

    /// Evaluates arguments from the last to the first, as gcc does; C leaves the order open (6.5.2.2p10).
    fn arguments(&mut self, args: &[ExprId], fixed: usize) -> Lowered<Vec<Value>> {
        let mut values = Vec::with_capacity(args.len());
        for (n, &arg) in args.iter().enumerate().rev() {
            let ty = self.unit.tast[arg].ty;
            values.push(match self.unit.types.is_aggregate(ty) {
                false => self.scalar(arg)?,
                // A struct behind the fixed arguments is copied when it is packed.
                true if n >= fixed => self.place(arg)?.ptr,
                true => self.struct_argument(arg, ty)?,
            });
        }
        values.reverse();
        Ok(values)
    }

    fn struct_argument(&mut self, arg: ExprId, ty: TypeId) -> Lowered<Value> {
        let layout = self.represent(|unit| unit.types.layout(ty), self.unit.tast.expr_span(arg))?;
        let source = self.unit.source_type(ty);
        let slot = self.temporary(layout.size, layout.align, Some(source));
        let copy = self.slot_addr(slot);
        self.struct_into(arg, copy)?;
        Ok(copy)
    }

    fn struct_result_place(
        &mut self,
        ty: TypeId,
        dst: Option<Value>,
        span: rucc_diag::Span,
    ) -> Lowered<Value> {
        if let Some(dst) = dst {
            return Ok(dst);
        }
        let layout = self.represent(|unit| unit.types.layout(ty), span)?;
        let source = self.unit.source_type(ty);
        let slot = self.temporary(layout.size, layout.align, Some(source));
        Ok(self.slot_addr(slot))
    }

    /// Packs variadic arguments into an object.
    fn pack(&mut self, args: &[ExprId], values: &[Value]) -> Lowered<Value> {
        let mut offsets = Vec::with_capacity(args.len());
        let mut size = 0u64;
        for &arg in args {
            let ty = self.unit.tast[arg].ty;
            let layout = self.represent(|unit| unit.types.layout(ty), self.unit.tast.expr_span(arg))?;
            offsets.push((size, layout.size));
            size += layout.size.next_multiple_of(PACKED);
        }
        let slot = self.temporary(size, PACKED, None);
        let base = self.slot_addr(slot);
        for ((&arg, &value), (offset, bytes)) in args.iter().zip(values).zip(offsets) {
            let place = self.ptr_offset(base, offset);
            if self.unit.types.is_aggregate(self.unit.tast[arg].ty) {
                self.copy(place, value, bytes);
            } else {
                self.store(place, value, 1, false);
            }
        }
        Ok(base)
    }

    /// `va_start`: the list points to the packed arguments.
    pub(super) fn va_start(&mut self, list: ExprId) -> Lowered<()> {
        let place = self.scalar(list)?;
        let Some(args) = self.variadic_args else {
            return self
                .unit
                .unsupported("va_start outside a variadic function", self.unit.tast.expr_span(list));
        };
        self.store(place, args, 1, false);
        Ok(())
    }

    pub(super) fn va_copy(&mut self, dst: ExprId, src: ExprId) -> Lowered<()> {
        let dst = self.scalar(dst)?;
        let src = self.scalar(src)?;
        let cursor = self.load(Ty::Ptr, src, 1, false);
        self.store(dst, cursor, 1, false);
        Ok(())
    }

    /// The place of the next variadic argument; the list moves on.
    pub(super) fn va_arg_place(&mut self, list: ExprId, ty: TypeId, span: rucc_diag::Span) -> Lowered<Value> {
        let list = self.scalar(list)?;
        let size = self.represent(|unit| unit.types.layout(ty), span)?.size;
        let cursor = self.load(Ty::Ptr, list, 1, false);
        let next = self.ptr_offset(cursor, size.next_multiple_of(PACKED));
        self.store(list, next, 1, false);
        Ok(cursor)
    }

    /// Functions of the library that are exact operations: no model of the library is needed for them.
    fn exact_function(&mut self, decl: DeclId, args: &[ExprId]) -> Lowered<Option<Value>> {
        if self.unit.tast[decl].body.is_some() {
            return Ok(None);
        }
        let Some(name) = self.unit.decl_name(decl) else { return Ok(None) };
        let Some((exact, ty)) = exact_function(name) else { return Ok(None) };
        let arity = match exact {
            Exact::Unary(_) => 1,
            Exact::Binary(_) => 2,
            Exact::Fma => 3,
        };
        if args.len() != arity {
            return Ok(None);
        }
        let values = self.arguments(args, arity)?;
        if values.iter().any(|&value| self.body.ty(value) != ty) {
            return self.unit.unsupported(format!("declaration of `{name}`"), self.unit.tast.decl_span(decl));
        }
        Ok(Some(match exact {
            Exact::Unary(op) => self.float_unary(op, values[0]),
            Exact::Binary(op) => self.float_op(op, values[0], values[1]),
            Exact::Fma => self.emit(ty, quipu_ir::InstKind::Fma(values[0], values[1], values[2])),
        }))
    }
}

#[derive(Clone, Copy)]
enum Exact {
    Unary(FloatUnary),
    Binary(FloatOp),
    Fma,
}

/// The operation behind a library function, and its type. Rounding is to nearest even throughout.
fn exact_function(name: &str) -> Option<(Exact, Ty)> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let operation = |name| {
        Some(match name {
            "sqrt" => Exact::Unary(FloatUnary::Sqrt),
            "fabs" => Exact::Unary(FloatUnary::Abs),
            "floor" => Exact::Unary(FloatUnary::Floor),
            "ceil" => Exact::Unary(FloatUnary::Ceil),
            "trunc" => Exact::Unary(FloatUnary::Trunc),
            "round" => Exact::Unary(FloatUnary::Round),
            "rint" | "nearbyint" | "roundeven" => Exact::Unary(FloatUnary::RoundEven),
            "fmod" => Exact::Binary(FloatOp::Rem),
            "fmin" => Exact::Binary(FloatOp::Min),
            "fmax" => Exact::Binary(FloatOp::Max),
            "copysign" => Exact::Binary(FloatOp::CopySign),
            "fma" => Exact::Fma,
            _ => return None,
        })
    };
    match operation(name) {
        Some(exact) => Some((exact, Ty::F64)),
        None => Some((operation(name.strip_suffix('f')?)?, Ty::F32)),
    }
}
