//! The relations between pointers and objects at the statements of a function, in the words of the source.

use std::collections::{BTreeMap, BTreeSet};

use quipu_ir::{Func, FuncBody, Global, InstKind, Stmt, Terminator, TypeId, ValueDef};

use super::PointsTo;
use super::names::behind;
use super::object::Object;
use super::offset::Offset;
use super::shape::pointer_parts;
use super::state::State;
use super::target_set::TargetSet;

/// What a pointer may point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// The pointer, as a C expression.
    pub pointer: String,
    /// Its targets.
    pub targets: Vec<String>,
    /// Whether it surely points to the only target.
    pub definite: bool,
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let certainty = if self.definite { "definite" } else { "possible" };
        write!(f, "{} -> {} ({certainty})", self.pointer, self.targets.join(" | "))
    }
}

/// The relations in front of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementRelations {
    /// The statement; none for the end of the function.
    pub stmt: Option<Stmt>,
    /// The relations that may hold, by variable; none if no run comes here.
    pub relations: Option<Vec<Relation>>,
}

impl PointsTo<'_> {
    /// The relations in front of each statement of a function, in source order, and at its end. Variables have names
    /// only in memory: the module should not be promoted.
    pub fn relations(&self, func: Func) -> Vec<StatementRelations> {
        let Some(body) = self.tables.module.functions[func].code() else { return Vec::new() };
        let mut states: BTreeMap<Option<Stmt>, State> = BTreeMap::new();
        let mut add = |stmt: Option<Stmt>, state: &State| match states.get_mut(&stmt) {
            Some(known) => drop(known.join(state, self.tables.size)),
            None => drop(states.insert(stmt, state.clone())),
        };
        for block in self.blocks(func) {
            let data = &body.blocks[block];
            let returns = matches!(data.term, Terminator::Return(_) | Terminator::ReturnMissing);
            self.execute(func, block, |number, state, _| {
                match data.insts.get(number).map(|inst| &inst.kind) {
                    Some(InstKind::Stmt(stmt)) => add(Some(*stmt), state),
                    None if returns => add(None, state),
                    _ => {}
                }
            });
        }
        let mut stmts: Vec<Option<Stmt>> = body.stmts.ids().map(Some).collect();
        stmts.sort_by_key(|stmt| stmt.map(|stmt| body.stmts[stmt].span));
        stmts.push(None);
        let relations =
            |stmt: Option<Stmt>| states.get(&stmt).map(|state| self.relations_in(func, body, state));
        stmts.into_iter().map(|stmt| StatementRelations { stmt, relations: relations(stmt) }).collect()
    }

    fn relations_in(&self, func: Func, body: &FuncBody, state: &State) -> Vec<Relation> {
        let mut relations = Vec::new();
        for (slot, data) in body.slots.entries().filter(|(_, data)| data.name.is_some()) {
            if let Some(ty) = data.ty {
                self.add(
                    func,
                    state,
                    Object::Slot(func, slot),
                    &self.tables.slot_name(func, slot),
                    ty,
                    &mut relations,
                );
            }
        }
        if func == self.tables.entry {
            for (n, param) in self.tables.module.functions[func].params.iter().enumerate() {
                if let Some(ty) = param.source {
                    let name = self.tables.parameter_name(n);
                    self.add(func, state, Object::Argument(n), &name, ty, &mut relations);
                }
            }
        }
        for global in mentioned(body) {
            let ty = self.tables.module.globals[global].ty;
            let name = self.tables.global_name(global);
            self.add(func, state, Object::Global(global), &name, ty, &mut relations);
        }
        relations
    }

    /// The pointers in an object, and those right behind them.
    fn add(
        &self,
        func: Func,
        state: &State,
        object: Object,
        name: &str,
        ty: TypeId,
        relations: &mut Vec<Relation>,
    ) {
        let module = self.tables.module;
        if self.tables.content(object, state).is_none() {
            return;
        }
        for part in pointer_parts(module, ty) {
            let place = TargetSet::place(object, Offset::exact(part.offset));
            let pointer = format!("{name}{}", part.path);
            let targets = self.tables.read(&place, state);
            self.push(func, pointer.clone(), &targets, relations);
            if !self.tables.holds_pointers(part.to) {
                continue;
            }
            for inner in pointer_parts(module, part.to) {
                let found = self.tables.read(&targets.moved(Offset::exact(inner.offset)), state);
                self.push(func, behind(&pointer, &inner.path), &found, relations);
            }
        }
    }

    fn push(&self, func: Func, pointer: String, targets: &TargetSet, relations: &mut Vec<Relation>) {
        if targets.is_empty() {
            return;
        }
        let definite = self.is_definite(targets) || *targets == TargetSet::null();
        relations.push(Relation { pointer, targets: self.tables.target_names(targets, func), definite });
    }
}

/// The globals that the code of a function mentions.
fn mentioned(body: &FuncBody) -> BTreeSet<Global> {
    let globals = body.values.iter().filter_map(|value| match value.def {
        ValueDef::Global(global, _) => Some(global),
        _ => None,
    });
    globals.collect()
}
