//! Block scopes: which local objects end where control leaves a block.

use quipu_ir::{InstKind, Slot};
use rucc_sema::{LabelId, Stmt, StmtId, Tast};
use rustc_hash::FxHashMap;

use super::function::FnLower;

/// The open scopes, innermost last.
#[derive(Default)]
pub(super) struct Scopes {
    open: Vec<Scope>,
}

struct Scope {
    /// The statement that opened it.
    stmt: StmtId,
    /// The objects declared in it so far.
    slots: Vec<Slot>,
}

/// For every label, the statements whose scopes enclose it, outermost first; of a label in a statement expression,
/// those inside that expression, which no `goto` from outside may enter.
pub(super) struct LabelScopes {
    paths: FxHashMap<LabelId, Vec<StmtId>>,
}

impl LabelScopes {
    /// Walks a function's body once. A `goto` may lead to a label that comes later.
    pub(super) fn of(tast: &Tast, body: StmtId) -> LabelScopes {
        let mut found = LabelScopes { paths: FxHashMap::default() };
        found.enter(tast, body);
        found
    }

    /// Adds the labels of a function's body or of a statement expression.
    pub(super) fn enter(&mut self, tast: &Tast, stmt: StmtId) {
        self.walk(tast, stmt, &mut Vec::new());
    }

    fn walk(&mut self, tast: &Tast, stmt: StmtId, path: &mut Vec<StmtId>) {
        match tast[stmt] {
            Stmt::Block(list) => {
                path.push(stmt);
                for &inner in &tast[list] {
                    self.walk(tast, inner, path);
                }
                path.pop();
            }
            Stmt::For { init, body, .. } => {
                path.push(stmt);
                init.into_iter().chain([body]).for_each(|inner| self.walk(tast, inner, path));
                path.pop();
            }
            Stmt::If { then, otherwise, .. } => {
                [Some(then), otherwise].into_iter().flatten().for_each(|inner| self.walk(tast, inner, path));
            }
            Stmt::Label { label, body } => {
                self.paths.insert(label, path.clone());
                self.walk(tast, body, path);
            }
            Stmt::While { body, .. }
            | Stmt::DoWhile { body, .. }
            | Stmt::Switch { body, .. }
            | Stmt::Case { body, .. }
            | Stmt::Default { body } => self.walk(tast, body, path),
            _ => {}
        }
    }
}

impl FnLower<'_, '_> {
    pub(super) fn open_scope(&mut self, stmt: StmtId) {
        self.scopes.open.push(Scope { stmt, slots: Vec::new() });
    }

    /// Ends the objects of the innermost scope.
    pub(super) fn close_scope(&mut self) {
        let depth = self.scopes.open.len() - 1;
        self.end_scopes(depth);
        self.scopes.open.pop();
    }

    pub(super) fn scope_depth(&self) -> usize {
        self.scopes.open.len()
    }

    /// An object of the innermost scope.
    pub(super) fn own_slot(&mut self, slot: Slot) {
        if let Some(scope) = self.scopes.open.last_mut() {
            scope.slots.push(slot);
        }
    }

    /// Ends the objects of all scopes deeper than `depth`; the scopes stay open for the code that follows.
    pub(super) fn end_scopes(&mut self, depth: usize) {
        let slots: Vec<Slot> = self.scopes.open[depth..]
            .iter()
            .rev()
            .flat_map(|scope| scope.slots.iter().rev().copied())
            .collect();
        for slot in slots {
            self.emit_effect(InstKind::SlotEnd(slot));
        }
    }

    /// Ends the objects of the scopes that a jump to a label leaves.
    pub(super) fn end_scopes_before(&mut self, label: LabelId) {
        let path = self.label_scopes.paths.get(&label).map_or(&[][..], Vec::as_slice);
        let innermost_shared = self.scopes.open.iter().rposition(|scope| path.contains(&scope.stmt));
        self.end_scopes(innermost_shared.map_or(0, |n| n + 1));
    }
}
