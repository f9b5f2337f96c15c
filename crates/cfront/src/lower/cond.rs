//! Decisions and their atomic conditions.
//!
//! `&&`, `||` and `!` become control flow. Each atomic condition is one branch that names it, and the edges that
//! settle the decision carry its outcome.

use quipu_ir::{Block, CondData, Decision, DecisionData, DecisionKind, Edge, Terminator, Ty, Value};
use quipu_num::{FloatCmp, IntCmp};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Conversion, Eval, ExprId, ExprKind};

use super::Lowered;
use super::function::FnLower;

/// Where control goes for either outcome.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    then: Target,
    otherwise: Target,
}

/// A block, and the outcome of the decision that is settled by going there.
#[derive(Clone, Copy)]
struct Target {
    block: Block,
    outcome: Option<bool>,
}

impl Targets {
    /// The targets of a whole decision.
    pub(super) fn new(then: Block, otherwise: Block) -> Targets {
        Targets {
            then: Target { block: then, outcome: Some(true) },
            otherwise: Target { block: otherwise, outcome: Some(false) },
        }
    }
}

impl Target {
    fn inner(block: Block) -> Target {
        Target { block, outcome: None }
    }

    fn edge(self) -> Edge {
        Edge { target: self.block, args: Vec::new(), outcome: self.outcome }
    }
}

impl FnLower<'_, '_> {
    /// Evaluates a controlling expression as a decision of its own and branches on it.
    pub(super) fn decide(&mut self, kind: DecisionKind, expr: ExprId, targets: Targets) -> Lowered<()> {
        let (span, text) = self.unit.construct(self.unit.tast.expr_span(expr));
        let decision = self.body.decisions.push(DecisionData { kind, span, text });
        // A decision inside a condition of this one gets its conditions after ours: keep ours together.
        let before = self.pending_conds(expr, decision);
        let mut next = before.into_iter();
        self.condition(expr, targets, &mut next)
    }

    /// Enters the atomic conditions of an expression in evaluation order.
    fn pending_conds(&mut self, expr: ExprId, decision: Decision) -> Vec<quipu_ir::Cond> {
        let mut atoms = Vec::new();
        self.collect_atoms(expr, &mut atoms);
        let enter = |atom: ExprId| {
            let (span, text) = self.unit.construct(self.unit.tast.expr_span(atom));
            let constant = self.constant_truth(atom);
            self.body.conds.push(CondData { decision, span, text, constant })
        };
        atoms.into_iter().map(enter).collect()
    }

    fn collect_atoms(&self, expr: ExprId, atoms: &mut Vec<ExprId>) {
        let expr = self.strip(expr);
        match self.unit.tast[expr].kind {
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, lhs, rhs } => {
                self.collect_atoms(lhs, atoms);
                self.collect_atoms(rhs, atoms);
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.collect_atoms(operand, atoms),
            ExprKind::Comma { rhs, .. } => self.collect_atoms(rhs, atoms),
            _ => atoms.push(expr),
        }
    }

    fn condition(
        &mut self,
        expr: ExprId,
        targets: Targets,
        conds: &mut impl Iterator<Item = quipu_ir::Cond>,
    ) -> Lowered<()> {
        let expr = self.strip(expr);
        match self.unit.tast[expr].kind {
            ExprKind::Binary { op: BinaryOp::LogAnd, lhs, rhs } => {
                let second = self.new_block();
                self.condition(lhs, Targets { then: Target::inner(second), ..targets }, conds)?;
                self.start(second);
                self.condition(rhs, targets, conds)
            }
            ExprKind::Binary { op: BinaryOp::LogOr, lhs, rhs } => {
                let second = self.new_block();
                self.condition(lhs, Targets { otherwise: Target::inner(second), ..targets }, conds)?;
                self.start(second);
                self.condition(rhs, targets, conds)
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                let swapped = Targets { then: targets.otherwise, otherwise: targets.then };
                self.condition(operand, swapped, conds)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs)?;
                self.condition(rhs, targets, conds)
            }
            _ => {
                let cond = conds.next();
                let value = self.truth(expr)?;
                self.at(expr, |lower| {
                    let (then, otherwise) = (targets.then.edge(), targets.otherwise.edge());
                    lower.terminate(Terminator::Branch { value, then, otherwise, cond });
                    Ok(())
                })
            }
        }
    }

    /// Takes off what does not change whether an expression is zero: the conversion to a truth value,
    /// widening, and branch hints.
    fn strip(&self, expr: ExprId) -> ExprId {
        match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Bool, operand } => self.strip(operand),
            ExprKind::Expect { value, hint, .. } if self.is_constant(hint) => self.strip(value),
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand)
                if self.widens(operand, expr) && self.is_logical(operand) =>
            {
                self.strip(operand)
            }
            _ => expr,
        }
    }

    /// Whether an expression is a constant under its conversions, and so has no effect.
    pub(super) fn is_constant(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Const(_) => true,
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => self.is_constant(operand),
            _ => false,
        }
    }

    /// Whether an expression is, under hints and conversions, a logical operation.
    fn is_logical(&self, expr: ExprId) -> bool {
        let expr = self.strip(expr);
        matches!(
            self.unit.tast[expr].kind,
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. }
                | ExprKind::Unary { op: UnaryOp::Not, .. }
                | ExprKind::Binary {
                    op: BinaryOp::Eq
                        | BinaryOp::Ne
                        | BinaryOp::Lt
                        | BinaryOp::Le
                        | BinaryOp::Gt
                        | BinaryOp::Ge,
                    ..
                }
        )
    }

    fn widens(&self, from: ExprId, to: ExprId) -> bool {
        let width = |expr: ExprId| self.unit.types.integer(self.unit.tast[expr].ty);
        matches!((width(from), width(to)), (Some((from, _)), Some((to, _))) if from <= to)
    }

    /// The outcome of a constant expression.
    fn constant_truth(&self, expr: ExprId) -> Option<bool> {
        let session = &self.unit.unit.session;
        let mut eval = Eval::new(self.unit.tast, &self.unit.unit.types, &session.target, &session.interner);
        eval.integer(expr).ok().map(|value| value != 0)
    }

    /// Whether a scalar expression is not zero, as an `i1`.
    pub(super) fn truth(&mut self, expr: ExprId) -> Lowered<Value> {
        let expr = self.strip(expr);
        match self.unit.tast[expr].kind {
            ExprKind::Binary { op, lhs, rhs } if !op.is_short_circuit() && is_comparison(op) => {
                self.at(expr, |lower| lower.comparison(op, lhs, rhs))
            }
            ExprKind::Binary { op, .. } if op.is_short_circuit() => self.logical(expr),
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                let value = self.truth(operand)?;
                self.at(expr, |lower| Ok(lower.not(value)))
            }
            _ => {
                let value = self.scalar(expr)?;
                self.at(expr, |lower| Ok(lower.is_nonzero(value)))
            }
        }
    }

    pub(super) fn not(&mut self, value: Value) -> Value {
        let no = self.bool(false);
        self.int_cmp(IntCmp::Eq, value, no)
    }

    pub(super) fn is_nonzero(&mut self, value: Value) -> Value {
        match self.body.ty(value) {
            Ty::BOOL => value,
            Ty::Float(_) => {
                let zero = self.int(self.body.ty(value), 0);
                self.float_cmp(FloatCmp::Ne, value, zero)
            }
            ty => {
                let zero = self.int(ty, 0);
                self.int_cmp(IntCmp::Ne, value, zero)
            }
        }
    }

    /// The value of `&&` or `||` as an `i1`: a decision whose outcome is used as a number.
    fn logical(&mut self, expr: ExprId) -> Lowered<Value> {
        let (yes, no) = (self.new_block(), self.new_block());
        self.decide(DecisionKind::Logical, expr, Targets::new(yes, no))?;
        let (join, result) = self.join_block(Ty::BOOL);
        for (block, value) in [(yes, true), (no, false)] {
            self.start(block);
            let value = self.bool(value);
            self.jump_with(join, value);
        }
        self.start(join);
        Ok(result)
    }

    /// `cond ? then : otherwise` with a scalar value.
    pub(super) fn conditional(
        &mut self,
        expr: ExprId,
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) -> Lowered<Value> {
        let ty = self.scalar_ty(self.unit.tast[expr].ty, self.unit.tast.expr_span(expr))?;
        let (yes, no) = self.branch_on(cond, then, otherwise)?;
        let (join, result) = self.join_block(ty);
        for (block, arm) in [(yes, then), (no, otherwise)] {
            self.start(block);
            let value = self.scalar(arm)?;
            self.jump_with(join, value);
        }
        self.start(join);
        Ok(result)
    }

    /// `cond ? then : otherwise` whose arms are handled by `arm`: for effects and for structs.
    pub(super) fn conditional_arms(
        &mut self,
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
        mut arm: impl FnMut(&mut Self, ExprId) -> Lowered<()>,
    ) -> Lowered<()> {
        let (yes, no) = self.branch_on(cond, then, otherwise)?;
        let join = self.new_block();
        for (block, expr) in [(yes, then), (no, otherwise)] {
            self.start(block);
            arm(self, expr)?;
            self.jump(join);
        }
        self.start(join);
        Ok(())
    }

    /// Branches on the condition of `?:`. GNU's `a ?: b` evaluates `a` once: its value is remembered.
    fn branch_on(&mut self, cond: ExprId, then: ExprId, otherwise: ExprId) -> Lowered<(Block, Block)> {
        let (yes, no) = (self.new_block(), self.new_block());
        if let Some(shared) = self.shared_operand(cond, then) {
            let value = self.scalar(shared)?;
            self.evaluated.insert(shared, value);
        }
        let is_assert = self.calls_assertion_failure(otherwise);
        let kind = if is_assert { DecisionKind::Assert } else { DecisionKind::Conditional };
        self.decide(kind, cond, Targets::new(yes, no))?;
        Ok((yes, no))
    }

    /// The expression under the conversions of both the condition and the first arm, if it is the same one.
    fn shared_operand(&self, cond: ExprId, then: ExprId) -> Option<ExprId> {
        let ExprKind::Convert { kind: Conversion::Bool, operand } = self.unit.tast[cond].kind else {
            return None;
        };
        let mut arm = then;
        loop {
            if arm == operand {
                return Some(operand);
            }
            match self.unit.tast[arm].kind {
                ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => arm = operand,
                _ => return None,
            }
        }
    }
}

pub(super) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ge | Gt | Le | Lt | Ne)
}
