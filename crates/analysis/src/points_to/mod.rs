//! What pointers may point to, at each point of a program that starts with some function.
//!
//! The analysis is flow-sensitive: it executes the blocks on sets of targets, with strong updates, until nothing new
//! is found. A pointer points *definitely* to an object if that is its only target and the object is a single one. The
//! rules are those of Emami, Ghiya and Hendren, "Context-sensitive interprocedural points-to analysis in the presence
//! of function pointers" (PLDI 1994), as Gotlieb, Denmat and Botella use them for test generation (IST 49, 2007), with
//! these additions: offsets within objects, heap objects by the place that makes them, calls through pointers, and a
//! store through a pointer with several targets adds to each, so that none of them stays definite by mistake.
//!
//! Calls are context-insensitive, but a callee sees only the objects that it can reach. What is assumed about inputs
//! stands in module `start`; what an unknown pointer may point to in ADR 19. Nothing that a run can do is left out:
//! a run ends at an event, so an access through null or outside an object leads nowhere.

mod amount;
mod call;
mod content;
mod library;
mod names;
mod object;
mod offset;
mod relations;
mod shape;
mod solver;
mod start;
mod state;
mod step;
mod tables;
mod target_set;

use std::collections::BTreeSet;

use quipu_base::IdVec;
use quipu_ir::{Block, Func, Global, InstKind, Module, Value};

pub(crate) use library::{Effect, effect_of};
pub use object::{Holder, Input, Object, Site};
pub use offset::Offset;
pub use relations::{Relation, StatementRelations};
use state::State;
pub use step::Callees;
pub(crate) use step::{ALL_BYTES, Step};
use tables::Tables;
pub use target_set::TargetSet;

/// What the pointers of a program may point to.
pub struct PointsTo<'m> {
    tables: Tables<'m>,
}

/// The memory at a point of the program, as far as the function there can name or reach it.
pub struct MemoryView<'a> {
    tables: &'a Tables<'a>,
    state: State,
}

impl MemoryView<'_> {
    /// What the pointer at an offset of an object may point to. None if the function can neither name nor reach it.
    pub fn content(&self, (object, offset): (Object, Offset)) -> Option<TargetSet> {
        self.tables.content(object, &self.state)?;
        Some(self.tables.read(&TargetSet::place(object, offset), &self.state))
    }
}

impl<'m> PointsTo<'m> {
    /// The program that starts with a function of the module.
    pub fn of(module: &'m Module, entry: Func) -> PointsTo<'m> {
        PointsTo::unless(module, entry, || false).expect("nothing stops it")
    }

    /// The same, unless it is stopped: it is asked before each block that is executed.
    pub fn unless(module: &'m Module, entry: Func, stopped: impl FnMut() -> bool) -> Option<PointsTo<'m>> {
        Some(PointsTo { tables: solver::solve(module, entry, stopped)? })
    }

    /// What a value may point to in front of an instruction. Nothing if no run comes there.
    pub fn targets_before(&self, func: Func, block: Block, inst: usize, value: Value) -> TargetSet {
        match self.state_before(func, block, inst) {
            Some(_) => self.tables.value(func, value),
            None => TargetSet::nothing(),
        }
    }

    /// What the pointer at an offset of an object may point to in front of an instruction. None if no run comes
    /// there, or if the function can neither name nor reach the object.
    pub fn content_before(
        &self,
        func: Func,
        block: Block,
        inst: usize,
        place: (Object, Offset),
    ) -> Option<TargetSet> {
        self.memory_before(func, block, inst)?.content(place)
    }

    /// The memory in front of an instruction. None if no run comes there.
    pub fn memory_before(&self, func: Func, block: Block, inst: usize) -> Option<MemoryView<'_>> {
        let state = self.state_before(func, block, inst)?;
        Some(MemoryView { tables: &self.tables, state })
    }

    /// What a call may call.
    pub fn callees(&self, func: Func, block: Block, inst: usize) -> Callees {
        let Some(table) = &self.tables.functions[func] else { return Callees::default() };
        let call = &table.body.blocks[block].insts[inst];
        match &call.kind {
            InstKind::Call(callee, arguments) if self.state_before(func, block, inst).is_some() => {
                self.tables.callees(func, call, *callee, arguments)
            }
            _ => Callees::default(),
        }
    }

    /// Whether a pointer surely points to one certain object, at one certain offset.
    pub fn is_definite(&self, targets: &TargetSet) -> bool {
        let only = targets.only_place();
        only.is_some_and(|(object, at)| at.as_exact().is_some() && self.tables.is_singular(object))
    }

    /// Whether a set covers a place: an input or an unknown pointer covers more than it names.
    pub fn covers(&self, targets: &TargetSet, object: Object, at: i64) -> bool {
        targets.has(object, at) || self.covers_unnamed(targets, object)
    }

    /// Whether a set covers some place in an object.
    pub fn leads_to(&self, targets: &TargetSet, object: Object) -> bool {
        targets.objects().any(|named| named == object) || self.covers_unnamed(targets, object)
    }

    fn covers_unnamed(&self, targets: &TargetSet, object: Object) -> bool {
        let is_function = matches!(object, Object::Function(_));
        let by_input = self.tables.is_shared(object) || is_function;
        targets.may_be_unknown() && (is_function || self.tables.is_exposed(object))
            || by_input && targets.objects().any(|one| matches!(one, Object::Input(_) | Object::Outside))
    }

    /// Whether it is assumed that an input pointer may point to the object.
    pub fn is_shared(&self, object: Object) -> bool {
        self.tables.is_shared(object)
    }

    /// Whether it is assumed that a global may hold any input pointers when the entry function is called.
    pub fn holds_inputs(&self, global: Global) -> bool {
        self.tables.changed.contains(&global)
    }

    /// Which pointer an input object is the target of.
    pub fn holder(&self, input: Input) -> Holder {
        self.tables.inputs[input]
    }

    /// The functions with code that may run, in increasing order.
    pub fn functions(&self) -> Vec<Func> {
        let entries = self.tables.functions.entries();
        entries.filter(|(_, table)| table.is_some()).map(|(func, _)| func).collect()
    }

    /// The globals that may be written to. Through pointers of which nothing is known, all that are exposed.
    pub fn written_globals(&self) -> BTreeSet<Global> {
        let mut written = BTreeSet::new();
        for func in self.functions() {
            for block in self.blocks(func) {
                self.execute(func, block, |_, _, step| {
                    written.extend(step.into_iter().flat_map(|step| &step.written).filter_map(|object| {
                        match object {
                            Object::Global(global) => Some(*global),
                            _ => None,
                        }
                    }));
                });
            }
        }
        written
    }

    /// The blocks of a function to which a run may come.
    fn blocks(&self, func: Func) -> Vec<Block> {
        let table = self.tables.functions[func].as_ref();
        table.into_iter().flat_map(|table| &table.cfg.reverse_postorder).copied().collect()
    }

    /// The memory in front of an instruction; none if no run comes there.
    fn state_before(&self, func: Func, block: Block, inst: usize) -> Option<State> {
        let mut found = None;
        self.execute(func, block, |number, state, _| {
            if number == inst {
                found = Some(state.clone());
            }
        });
        found
    }

    /// Executes a block again and shows the memory in front of each instruction that a run may come to, and of the
    /// terminator, together with what the instruction in front of that did.
    fn execute(&self, func: Func, block: Block, mut visit: impl FnMut(usize, &State, Option<&step::Step>)) {
        let Some(table) = &self.tables.functions[func] else { return };
        let Some(mut state) = table.before[block].clone() else { return };
        visit(0, &state, None);
        for (inst, data) in table.body.blocks[block].insts.iter().enumerate() {
            let step = self.tables.step(Site { func, block, inst }, data, &mut state);
            if step.ends {
                return;
            }
            visit(inst + 1, &state, Some(&step));
        }
    }

    /// Shows what each instruction of a function does that a run may come to, with the objects to which the arguments lead
    /// if it is a call. Ends with false when `visit` does.
    pub(crate) fn each_step(
        &self,
        func: Func,
        mut visit: impl FnMut(Site, &Step, Vec<Object>) -> bool,
    ) -> bool {
        let Some(table) = &self.tables.functions[func] else { return true };
        for block in self.blocks(func) {
            let Some(mut state) = table.before[block].clone() else { continue };
            for (inst, data) in table.body.blocks[block].insts.iter().enumerate() {
                let reached = match &data.kind {
                    InstKind::Call(_, args) => {
                        let pointers: Vec<TargetSet> =
                            args.iter().map(|&arg| table.values[arg].clone()).collect();
                        self.tables.reached_by(&pointers, &state)
                    }
                    _ => Vec::new(),
                };
                let site = Site { func, block, inst };
                let step = self.tables.step(site, data, &mut state);
                if !visit(site, &step, reached) {
                    return false;
                }
                if step.ends {
                    break;
                }
            }
        }
        true
    }

    /// For each value of a function what it may point to.
    pub fn values(&self, func: Func) -> Option<&IdVec<Value, TargetSet>> {
        self.tables.functions[func].as_ref().map(|table| &table.values)
    }
}
