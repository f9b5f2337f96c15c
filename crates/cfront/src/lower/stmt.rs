//! Statements.

use quipu_ir::{Block, DecisionKind, InstKind, StmtData, Terminator};
use rucc_sema::{AsmOperand, Conversion, DeclId, DeclList, ExprId, ExprKind, LabelId, Stmt, StmtId};

use super::Lowered;
use super::cond::Targets;
use super::function::{Exit, FnLower};

impl FnLower<'_, '_> {
    pub(super) fn stmt(&mut self, id: StmtId) -> Lowered<()> {
        self.span = self.unit.stmt_span(id);
        match self.unit.tast[id] {
            Stmt::Error => self.unit.unsupported("statement", self.unit.tast.stmt_span(id)),
            Stmt::Empty => Ok(()),
            Stmt::Expr(expr) => {
                self.mark(id, None);
                self.effect(expr)
            }
            Stmt::Block(list) => {
                self.open_scope(id);
                for &inner in &self.unit.tast[list] {
                    self.stmt(inner)?;
                }
                self.span = self.unit.stmt_span(id);
                self.close_scope();
                Ok(())
            }
            Stmt::Decls(decls) => self.declarations(id, decls),
            Stmt::If { cond, then, otherwise } => self.if_stmt(id, cond, then, otherwise),
            Stmt::While { cond, body } => self.while_stmt(id, cond, body),
            Stmt::DoWhile { body, cond } => self.do_stmt(id, body, cond),
            Stmt::For { init, cond, step, body } => self.for_stmt(id, init, cond, step, body),
            Stmt::Switch { cond, body, cases, default } => {
                self.mark(id, Some(cond));
                self.switch(cond, body, cases, default)
            }
            Stmt::Case { case, body } => self.case(case, body),
            Stmt::Default { body } => self.default(body),
            Stmt::Label { label, body } => {
                let target = self.label(label);
                self.labelled(Some(target), body)
            }
            Stmt::Goto(label) => {
                self.mark(id, None);
                self.end_scopes_before(label);
                let target = self.label(label);
                self.jump(target);
                Ok(())
            }
            Stmt::IndirectGoto(expr) => {
                self.mark(id, None);
                let address = self.scalar(expr)?;
                self.computed_goto(address);
                Ok(())
            }
            Stmt::Asm(asm) => self.assembly(id, asm),
            Stmt::Break => self.leave(id, self.breaks.last().copied()),
            Stmt::Continue => self.leave(id, self.continues.last().copied()),
            Stmt::Return(value) => self.return_stmt(id, value),
        }
    }

    /// Marks the start of a source statement; of one with a body, the part up to its controlling expression.
    ///
    /// The statements inside a statement expression that a macro made stand where the macro is called; they are
    /// parts of the statement that is marked there already.
    fn mark(&mut self, id: StmtId, head: Option<ExprId>) {
        let whole = self.unit.tast.stmt_span(id);
        if self.enclosing_stmts.contains(&whole.lo) {
            return;
        }
        self.last_stmt = whole.lo;
        let span = match head {
            Some(cond) if self.unit.tast.expr_span(cond).hi > whole.lo => {
                rucc_diag::Span::new(whole.lo, self.unit.tast.expr_span(cond).hi)
            }
            _ => whole,
        };
        let (span, _) = self.unit.construct(span);
        let stmt = self.body.stmts.push(StmtData { span });
        self.emit_effect(InstKind::Stmt(stmt));
    }

    fn declarations(&mut self, id: StmtId, decls: DeclList) -> Lowered<()> {
        let decls: Vec<DeclId> = self.unit.tast[decls].to_vec();
        let runs =
            decls.iter().any(|&decl| !self.unit.is_static(decl) && self.unit.tast[decl].init.is_some());
        if runs {
            self.mark(id, None);
        }
        decls.into_iter().try_for_each(|decl| self.declaration(decl))
    }

    fn if_stmt(&mut self, id: StmtId, cond: ExprId, then: StmtId, otherwise: Option<StmtId>) -> Lowered<()> {
        self.mark(id, Some(cond));
        let is_assert = otherwise.is_some_and(|stmt| self.is_assertion_failure(stmt));
        let kind = if is_assert { DecisionKind::Assert } else { DecisionKind::If };
        let (then_block, after) = (self.new_block(), self.new_block());
        let else_block = if otherwise.is_some() { self.new_block() } else { after };
        self.decide(kind, cond, Targets::new(then_block, else_block))?;
        self.arm(then_block, then, after)?;
        if let Some(otherwise) = otherwise {
            self.arm(else_block, otherwise, after)?;
        }
        self.start(after);
        Ok(())
    }

    fn arm(&mut self, block: Block, stmt: StmtId, after: Block) -> Lowered<()> {
        self.start(block);
        self.stmt(stmt)?;
        self.jump(after);
        Ok(())
    }

    /// Whether a statement is the call that a failed `assert` makes.
    fn is_assertion_failure(&self, stmt: StmtId) -> bool {
        match self.unit.tast[stmt] {
            Stmt::Expr(expr) => self.calls_assertion_failure(expr),
            _ => false,
        }
    }

    pub(super) fn calls_assertion_failure(&self, expr: ExprId) -> bool {
        const FAILURES: [&str; 4] = ["__assert_fail", "__assert", "__assert_rtn", "__assert_func"];
        match self.unit.tast[expr].kind {
            ExprKind::Call { callee, .. } => {
                self.callee_name(callee).is_some_and(|name| FAILURES.contains(&name))
            }
            ExprKind::Convert { kind: Conversion::Void, operand } | ExprKind::Cast(operand) => {
                self.calls_assertion_failure(operand)
            }
            _ => false,
        }
    }

    fn while_stmt(&mut self, id: StmtId, cond: ExprId, body: StmtId) -> Lowered<()> {
        self.mark(id, Some(cond));
        let (head, inside, after) = (self.new_block(), self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        self.decide(DecisionKind::While, cond, Targets::new(inside, after))?;
        self.start(inside);
        self.loop_body(body, after, head)?;
        self.jump(head);
        self.start(after);
        Ok(())
    }

    fn do_stmt(&mut self, id: StmtId, body: StmtId, cond: ExprId) -> Lowered<()> {
        let (inside, test, after) = (self.new_block(), self.new_block(), self.new_block());
        self.jump(inside);
        self.start(inside);
        self.loop_body(body, after, test)?;
        self.jump(test);
        self.start(test);
        self.span = self.unit.stmt_span(id);
        self.decide(DecisionKind::DoWhile, cond, Targets::new(inside, after))?;
        self.start(after);
        Ok(())
    }

    fn for_stmt(
        &mut self,
        id: StmtId,
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) -> Lowered<()> {
        self.open_scope(id);
        match init {
            Some(init) => self.stmt(init)?,
            None => self.mark(id, cond.or(step)),
        }
        let (head, inside, next, after) =
            (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        match cond {
            Some(cond) => self.decide(DecisionKind::For, cond, Targets::new(inside, after))?,
            None => self.jump(inside),
        }
        self.start(inside);
        self.loop_body(body, after, next)?;
        self.jump(next);
        self.start(next);
        if let Some(step) = step {
            self.effect(step)?;
        }
        self.jump(head);
        self.start(after);
        self.close_scope();
        Ok(())
    }

    fn loop_body(&mut self, body: StmtId, on_break: Block, on_continue: Block) -> Lowered<()> {
        let depth = self.scope_depth();
        self.breaks.push(Exit { target: on_break, depth });
        self.continues.push(Exit { target: on_continue, depth });
        let result = self.stmt(body);
        self.breaks.pop();
        self.continues.pop();
        result
    }

    fn leave(&mut self, id: StmtId, exit: Option<Exit>) -> Lowered<()> {
        let exit = exit.expect("a checked break or continue should be inside a loop or switch");
        self.mark(id, None);
        self.end_scopes(exit.depth);
        self.jump(exit.target);
        Ok(())
    }

    pub(super) fn label(&mut self, label: LabelId) -> Block {
        match self.labels.get(&label) {
            Some(&block) => block,
            None => {
                let block = self.new_block();
                self.labels.insert(label, block);
                block
            }
        }
    }

    fn return_stmt(&mut self, id: StmtId, value: Option<ExprId>) -> Lowered<()> {
        self.mark(id, None);
        let term = match (value, self.ret, self.struct_result) {
            (None, None, _) => Terminator::Return(None),
            (None, Some(_), _) => Terminator::ReturnMissing,
            (Some(value), _, Some(place)) => {
                self.struct_into(value, place)?;
                Terminator::Return(None)
            }
            (Some(value), None, None) => {
                self.effect(value)?;
                Terminator::Return(None)
            }
            (Some(value), Some(ty), None) => {
                let value = self.scalar(value)?;
                debug_assert_eq!(self.body.ty(value), ty);
                Terminator::Return(Some(value))
            }
        };
        self.terminate(term);
        Ok(())
    }

    /// Assembly is not modelled. An empty one is a compiler barrier: it only moves operands that are tied together.
    fn assembly(&mut self, id: StmtId, asm: rucc_sema::AsmId) -> Lowered<()> {
        let asm = self.unit.tast[asm];
        let span = self.unit.tast.stmt_span(id);
        let is_empty = self.unit.tast[asm.template].elements.iter().all(|&c| c == u32::from(b' '));
        if !is_empty || !asm.labels.is_empty() {
            return self.unit.unsupported("inline assembly", span);
        }
        let outputs: Vec<AsmOperand> = self.unit.tast[asm.outputs].to_vec();
        let inputs: Vec<AsmOperand> = self.unit.tast[asm.inputs].to_vec();
        for (n, output) in outputs.iter().enumerate() {
            if self.constraint(output).starts_with('+') {
                self.place(output.value)?;
                continue;
            }
            let tied = inputs.iter().find(|input| self.constraint(input).parse() == Ok(n));
            let Some(input) = tied else { return self.unit.unsupported("inline assembly", span) };
            let value = self.scalar(input.value)?;
            let (from, to) = (self.unit.tast[input.value].ty, self.unit.tast[output.value].ty);
            let value = self.convert(value, from, to, span)?;
            let place = self.place(output.value)?;
            self.write(place, value, to);
        }
        Ok(())
    }

    fn constraint(&self, operand: &AsmOperand) -> String {
        let elements = &self.unit.tast[operand.constraint].elements;
        elements.iter().filter_map(|&c| char::from_u32(c)).collect()
    }
}
