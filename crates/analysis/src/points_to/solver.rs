//! The fixpoint: blocks are executed until nothing new is found.
//!
//! Everything only grows, and there are finitely many objects, offsets and cells, so this ends. When a fact about the
//! whole program is found (an exposed object, a recursive function), all blocks are executed again.

use std::collections::BTreeSet;

use quipu_base::IdVec;
use quipu_ir::{Block, Func, Module, Terminator, Ty, Value};

use super::object::Site;
use super::start::Start;
use super::state::State;
use super::step::{Entered, Step};
use super::tables::Tables;
use super::target_set::TargetSet;
use crate::call_graph::CallGraph;
use crate::graph::Components;

/// Finds what the pointers of a program may point to; nothing if it is stopped.
pub fn solve(module: &Module, entry: Func, mut stopped: impl FnMut() -> bool) -> Option<Tables<'_>> {
    let start = Start::of(module, entry);
    let mut solver = Solver {
        tables: Tables::new(module, entry, &start),
        rank: ranks(module),
        queue: BTreeSet::new(),
        callers: IdVec::filled(BTreeSet::new(), module.functions.len()),
        stale: false,
    };
    solver.enter(Entered { callee: entry, arguments: start.arguments, state: start.state });
    loop {
        while let Some((_, _, func, block)) = solver.queue.pop_first() {
            if stopped() {
                return None;
            }
            solver.execute(func, block);
        }
        if !std::mem::take(&mut solver.stale) {
            return Some(solver.tables);
        }
        solver.enqueue_all();
    }
}

struct Solver<'m> {
    tables: Tables<'m>,
    /// Callees have a lower rank than their callers, but for recursion, and are executed first.
    rank: IdVec<Func, usize>,
    queue: BTreeSet<(usize, usize, Func, Block)>,
    /// The blocks that call each function.
    callers: IdVec<Func, BTreeSet<(Func, Block)>>,
    /// Whether something was found that concerns the whole program.
    stale: bool,
}

fn ranks(module: &Module) -> IdVec<Func, usize> {
    let mut rank = IdVec::filled(0, module.functions.len());
    for (n, group) in CallGraph::compute(module).bottom_up().enumerate() {
        group.iter().for_each(|&func| rank[func] = n);
    }
    rank
}

impl Solver<'_> {
    fn execute(&mut self, func: Func, block: Block) {
        let Some(table) = &self.tables.functions[func] else { return };
        let Some(mut state) = table.before[block].clone() else { return };
        let body = table.body;
        let data = &body.blocks[block];
        for (number, inst) in data.insts.iter().enumerate() {
            let step = self.tables.step(Site { func, block, inst: number }, inst, &mut state);
            let ends = step.ends;
            let result = inst.result.filter(|&result| body.ty(result) == Ty::Ptr);
            self.apply(func, block, result, step);
            if ends {
                return;
            }
        }
        match &data.term {
            Terminator::Return(value) => self.leave(func, *value, &state),
            Terminator::ReturnMissing => self.leave(func, None, &state),
            term => {
                for edge in term.edges() {
                    for (&argument, &param) in edge.args.iter().zip(&body.blocks[edge.target].params) {
                        let targets = self.tables.value(func, argument);
                        self.add_to_value(func, param, &targets, None);
                    }
                    self.reach(func, edge.target, &state);
                }
            }
        }
    }

    fn apply(&mut self, func: Func, block: Block, result: Option<Value>, step: Step) {
        if let Some(result) = result {
            self.add_to_value(func, result, &step.result, Some(block));
        }
        for object in step.exposed {
            self.stale |= self.tables.exposed.insert(object);
        }
        if step.numbers {
            self.stale |= !std::mem::replace(&mut self.tables.numbers, true);
        }
        for handler in step.handlers {
            self.stale |= self.tables.handlers.insert(handler);
        }
        for entered in step.entered {
            if self.callers[entered.callee].insert((func, block)) {
                self.find_recursion();
            }
            self.enter(entered);
        }
    }

    fn enter(&mut self, entered: Entered) {
        let func = entered.callee;
        self.tables.enter(func);
        let Some(body) = self.tables.module.functions[func].code() else { return };
        let params = &body.blocks[body.entry()].params;
        for (&param, targets) in params.iter().zip(&entered.arguments) {
            if body.ty(param) == Ty::Ptr {
                self.add_to_value(func, param, targets, None);
            }
        }
        self.reach(func, body.entry(), &entered.state);
    }

    fn leave(&mut self, func: Func, value: Option<Value>, state: &State) {
        if func == self.tables.entry {
            let mut step = Step::default();
            self.tables.run_handlers(state, &mut step);
            step.entered.into_iter().for_each(|entered| self.enter(entered));
        }
        let state = self.tables.left(func, state);
        let returned = value.map_or(TargetSet::nothing(), |value| {
            self.tables.returned(func, &self.tables.value(func, value))
        });
        let size = self.tables.size;
        let Some(table) = &mut self.tables.functions[func] else { return };
        let mut changed = table.returned.add_all(&returned);
        changed |= match &mut table.exit {
            Some(exit) => exit.join(&state, size),
            None => {
                table.exit = Some(state);
                true
            }
        };
        if changed {
            for (caller, block) in self.callers[func].clone() {
                self.enqueue(caller, block);
            }
        }
    }

    /// Adds to the memory at the start of a block.
    fn reach(&mut self, func: Func, block: Block, state: &State) {
        let size = self.tables.size;
        let Some(table) = &mut self.tables.functions[func] else { return };
        let changed = match &mut table.before[block] {
            Some(before) => before.join(state, size),
            none => {
                *none = Some(state.clone());
                true
            }
        };
        if changed {
            self.enqueue(func, block);
        }
    }

    /// Adds targets to a value. Uses in the block `own` come later in its execution.
    fn add_to_value(&mut self, func: Func, value: Value, targets: &TargetSet, own: Option<Block>) {
        let Some(table) = &mut self.tables.functions[func] else { return };
        if table.values[value].add_all(targets) {
            for user in table.users[value].clone() {
                if Some(user) != own {
                    self.enqueue(func, user);
                }
            }
        }
    }

    fn enqueue(&mut self, func: Func, block: Block) {
        let Some(table) = &self.tables.functions[func] else { return };
        if table.before[block].is_some() {
            self.queue.insert((self.rank[func], table.order[block], func, block));
        }
    }

    fn enqueue_all(&mut self) {
        for func in self.tables.module.functions.ids() {
            let blocks: Vec<Block> =
                self.tables.functions[func].iter().flat_map(|table| table.before.ids()).collect();
            blocks.into_iter().for_each(|block| self.enqueue(func, block));
        }
    }

    fn find_recursion(&mut self) {
        let mut callees = IdVec::<Func, Vec<Func>>::filled(Vec::new(), self.callers.len());
        for (callee, callers) in self.callers.entries() {
            callers.iter().for_each(|&(caller, _)| callees[caller].push(callee));
        }
        let components = Components::compute(&callees);
        for func in callees.ids() {
            let recursive = components.is_cyclic(components.of[func], &callees);
            if recursive {
                self.stale |= !std::mem::replace(&mut self.tables.recursive[func], true);
            }
        }
    }
}
