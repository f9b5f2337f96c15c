//! The body of one function.

use quipu_ir::{Block, FuncBody, Function, Slot, SlotData, Span, Terminator, Ty, Value};
use quipu_num::{Cast, Width};
use rucc_sema::{DeclId, ExprId, LabelId};
use rustc_hash::FxHashMap;

use super::Lowered;
use super::scope::{LabelScopes, Scopes};
use super::switch::OpenSwitch;
use super::unit::UnitLower;

/// What is known while a function is lowered.
pub(super) struct FnLower<'u, 'a> {
    pub(super) unit: &'u mut UnitLower<'a>,
    pub(super) body: FuncBody,
    /// The block that grows.
    pub(super) current: Block,
    /// The place of the construct that is lowered, for the instructions it becomes.
    pub(super) span: Span,
    /// Where local variables live.
    pub(super) locals: FxHashMap<DeclId, Local>,
    pub(super) scopes: Scopes,
    pub(super) label_scopes: LabelScopes,
    pub(super) labels: FxHashMap<LabelId, Block>,
    /// Where computed gotos jump to be sorted out.
    pub(super) dispatch: Option<(Block, Value)>,
    /// The targets of `break` and `continue`, innermost last.
    pub(super) breaks: Vec<Exit>,
    pub(super) continues: Vec<Exit>,
    pub(super) switches: Vec<OpenSwitch>,
    /// Values of expressions that must not be evaluated again: the condition of `a ?: b`.
    pub(super) evaluated: FxHashMap<ExprId, Value>,
    /// Where the statement marked last starts, and those around the open statement expressions.
    pub(super) last_stmt: rucc_diag::BytePos,
    pub(super) enclosing_stmts: Vec<rucc_diag::BytePos>,
    /// What the function returns.
    pub(super) ret: Option<Ty>,
    /// The place for a struct result.
    pub(super) struct_result: Option<Value>,
    /// The packed variadic arguments.
    pub(super) variadic_args: Option<Value>,
}

/// Where a local variable lives.
#[derive(Clone, Copy)]
pub(super) enum Local {
    /// In an object of the frame.
    Slot(Slot),
    /// Where a pointer points: a struct parameter.
    At(Value),
}

/// Where `break` or `continue` leads, and how many scopes stay open there.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub(super) target: Block,
    pub(super) depth: usize,
}

/// Lowers the body of a function that has one.
pub(super) fn lower_function(
    unit: &mut UnitLower<'_>,
    decl: DeclId,
    interface: &Function,
) -> Lowered<FuncBody> {
    let body = unit.tast[decl].body.expect("only a function with a body should be lowered");
    let span = unit.decl_span(decl);
    let label_scopes = LabelScopes::of(unit.tast, body);
    let (data_model, promotes) = (unit.linker.data_model, unit.unit.promotes);
    let mut lower = FnLower {
        unit,
        body: FuncBody::default(),
        current: quipu_base::Id::new(0),
        span,
        locals: FxHashMap::default(),
        scopes: Scopes::default(),
        label_scopes,
        labels: FxHashMap::default(),
        dispatch: None,
        breaks: Vec::new(),
        continues: Vec::new(),
        switches: Vec::new(),
        evaluated: FxHashMap::default(),
        last_stmt: 0,
        enclosing_stmts: Vec::new(),
        ret: interface.ret,
        struct_result: None,
        variadic_args: None,
    };
    lower.current = lower.new_block();
    lower.parameters(decl, interface)?;
    lower.stmt(body)?;
    lower.fall_off_the_end(decl);
    lower.finish_dispatch();
    let mut body = lower.body;
    quipu_ir::keep_private(&mut body);
    if promotes {
        quipu_ir::promote(&mut body, data_model);
    }
    Ok(body)
}

impl FnLower<'_, '_> {
    fn parameters(&mut self, decl: DeclId, interface: &Function) -> Lowered<()> {
        let entry = self.current;
        let values: Vec<Value> = interface.params.iter().map(|param| self.body.fresh(param.ty)).collect();
        self.body.blocks[entry].params.clone_from(&values);
        let mut values = values.into_iter();
        if interface.returns_struct {
            self.struct_result = values.next();
        }
        let params: Vec<DeclId> = self.unit.tast[self.unit.tast[decl].params].to_vec();
        for (param, value) in params.into_iter().zip(values.by_ref()) {
            self.parameter(param, value)?;
        }
        if interface.variadic {
            self.variadic_args = values.next();
        }
        self.array_lengths(decl)
    }

    /// The lengths of array parameters are evaluated on entry, if only for their effects (6.9.1p10).
    fn array_lengths(&mut self, decl: DeclId) -> Lowered<()> {
        let params: Vec<DeclId> = self.unit.tast[self.unit.tast[decl].params].to_vec();
        for param in params {
            let written = self.unit.tast.adjusted_from(param);
            if let Some(vla) = written.and_then(|ty| self.unit.types.variable_length(ty)) {
                self.effect(self.unit.tast.vla_size(vla))?;
            }
            self.fix_sizes(self.unit.tast[param].ty)?;
        }
        Ok(())
    }

    fn parameter(&mut self, param: DeclId, value: Value) -> Lowered<()> {
        let ty = self.unit.tast[param].ty;
        self.span = self.unit.decl_span(param);
        if self.unit.types.is_aggregate(ty) {
            self.locals.insert(param, Local::At(value));
            return Ok(());
        }
        let scalar = self.scalar_ty(ty, self.unit.tast.decl_span(param))?;
        let value = self.undo_promotion(value, scalar);
        let slot = self.local(param)?;
        let ptr = self.slot_addr(slot);
        let align = self.body.slots[slot].align as u32;
        self.store(ptr, value, align, false);
        Ok(())
    }

    /// A parameter of a function without a prototype arrives promoted.
    fn undo_promotion(&mut self, value: Value, ty: Ty) -> Value {
        match (self.body.ty(value), ty) {
            (Ty::Int(_), Ty::Int(to)) if to == Width::W1 => {
                let zero = self.int(self.body.ty(value), 0);
                self.int_cmp(quipu_num::IntCmp::Ne, value, zero)
            }
            (Ty::Int(_), Ty::Int(to)) => self.resize(value, to, true),
            (Ty::F64, Ty::F32) => self.cast(Ty::F32, Cast::Narrow, value),
            _ => value,
        }
    }

    /// A new frame object for a local variable.
    pub(super) fn local(&mut self, decl: DeclId) -> Lowered<Slot> {
        let span = self.unit.tast.decl_span(decl);
        let data = &self.unit.tast[decl];
        let layout = self.represent(|unit| unit.types.layout(data.ty), span)?;
        let align = data.alignment.map_or(layout.align, |wanted| layout.align.max(u64::from(wanted)));
        let size = layout.size.max(self.unit.tast.extent(decl));
        let slot = SlotData {
            name: data.name.map(|name| self.unit.name(name)),
            size,
            align,
            ty: Some(self.unit.source_type(data.ty)),
            span: self.unit.span(span),
        };
        let slot = self.body.slots.push(slot);
        self.locals.insert(decl, Local::Slot(slot));
        Ok(slot)
    }

    fn fall_off_the_end(&mut self, decl: DeclId) {
        let is_main = self.unit.decl_name(decl) == Some("main");
        let term = match self.ret {
            None => Terminator::Return(None),
            // 5.1.2.2.3p1: reaching the end of main returns 0.
            Some(ty @ Ty::Int(_)) if is_main => Terminator::Return(Some(self.int(ty, 0))),
            Some(_) => Terminator::ReturnMissing,
        };
        self.terminate(term);
    }

    /// The type of a scalar, or the reason why there is none.
    pub(super) fn scalar_ty(&mut self, ty: rucc_types::TypeId, span: rucc_diag::Span) -> Lowered<Ty> {
        self.represent(|unit| unit.types.scalar(ty), span)
    }

    /// Turns a type without a representation into the reason why the function is not supported.
    pub(super) fn represent<T>(
        &mut self,
        find: impl FnOnce(&UnitLower<'_>) -> Result<T, String>,
        span: rucc_diag::Span,
    ) -> Lowered<T> {
        match find(self.unit) {
            Ok(found) => Ok(found),
            Err(what) => self.unit.unsupported(what, span),
        }
    }

    /// Runs `lower` with the instructions attributed to an expression.
    pub(super) fn at<T>(&mut self, expr: ExprId, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let outer = self.span;
        self.span = self.unit.expr_span(expr);
        let result = lower(self);
        self.span = outer;
        result
    }
}
