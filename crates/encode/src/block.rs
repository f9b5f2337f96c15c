//! A block: its instructions, and where it leads.

use quipu_ir::{Block, Case, Cond, Edge, Event, Terminator, Unreachable};
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp};

use crate::encoder::{Engine, Here};
use crate::encoding::{Origin, Refused};
use crate::frame::Frame;
use crate::state::{Arrival, State};
use crate::symbol::Symbol;

/// Whether the execution goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    On,
    Stopped,
}

impl<'a> Engine<'a> {
    pub fn block(&mut self, frame: &mut Frame<'a>, block: Block) {
        let code = frame.code;
        let data = &code.blocks[block];
        for (number, inst) in data.insts.iter().enumerate() {
            let here =
                Here { context: frame.context, func: frame.func, block, inst: number, span: inst.span };
            if self.instruction(frame, here, inst) == Flow::Stopped {
                return;
            }
        }
        let here =
            Here { context: frame.context, func: frame.func, block, inst: data.insts.len(), span: data.span };
        self.terminate(frame, here, &data.term);
    }

    fn terminate(&mut self, frame: &mut Frame<'a>, here: Here, term: &'a Terminator) {
        let block = here.block;
        match term {
            Terminator::Jump(edge) => {
                let state = self.state.clone();
                self.leave(frame, block, 0, edge, state);
            }
            Terminator::Branch { value, then, otherwise, cond } => {
                let condition = self.value(frame, *value).int();
                let is_written = |cond: Cond| frame.code.conds[cond].constant.is_none();
                if cond.is_some_and(is_written) && self.terms.known(condition).is_some() {
                    frame.note_counting(block, then.target, otherwise.target);
                }
                let not = self.terms.not(condition);
                self.part(frame, block, &[(then, condition), (otherwise, not)]);
            }
            Terminator::Switch { value, cases, default, .. } => {
                let value = self.value(frame, *value).int();
                let mut open = self.terms.truth(true);
                let mut ways = Vec::new();
                for case in cases {
                    let matches = self.matches(case, value);
                    ways.push((&case.edge, self.terms.both(open, matches)));
                    let other = self.terms.not(matches);
                    open = self.terms.both(open, other);
                }
                ways.push((default, open));
                self.part(frame, block, &ways);
            }
            Terminator::Return(value) => {
                let value = value.map(|value| self.value(frame, value));
                self.return_value(frame, value, true);
            }
            Terminator::ReturnMissing => {
                let ty = self.module.functions[frame.func].ret.expect("a value is missing");
                let value = Symbol::nothing(&mut self.terms, ty, self.address);
                self.return_value(frame, Some(value), false);
            }
            Terminator::Unreachable(Unreachable::NoReturn | Unreachable::Declared) => {
                self.fail(here, Event::UnreachableReached);
            }
        }
    }

    /// Returns to the caller, which may not use a value that is not given (6.9.1p12).
    fn return_value(&mut self, frame: &mut Frame<'a>, value: Option<Symbol>, given: bool) {
        let given = Symbol::Int(self.terms.truth(given));
        let args = value.map_or_else(Vec::new, |value| vec![value, given]);
        frame.returns.push(Arrival { state: self.state.clone(), args, carried: Vec::new() });
    }

    fn matches(&mut self, case: &Case, value: Term) -> Term {
        let width = self.terms.width(value);
        if case.low == case.high {
            return self.terms.is(value, case.low);
        }
        let low = self.terms.constant(width, case.low);
        let size = self.terms.constant(width, case.high.wrapping_sub(case.low));
        let distance = self.terms.op(IntOp::Sub, value, low);
        self.terms.compare(IntCmp::Ule, distance, size)
    }

    /// Sends the present state along the edges of a block, one of whose conditions is true.
    fn part(&mut self, frame: &mut Frame<'a>, block: Block, ways: &[(&Edge, Term)]) {
        let conditions: Vec<Term> = ways.iter().map(|(_, condition)| *condition).collect();
        let guards = self.state.guard.split(&mut self.terms, &conditions);
        let taken = self.taken(frame.func, block);
        for (number, (&(edge, condition), guard)) in ways.iter().zip(guards).enumerate() {
            let Some(guard) = guard else {
                self.refuse(frame, block, number, condition);
                continue;
            };
            let origin = Origin::Edge { func: frame.func, block, edge: number };
            self.out.origins.entry(condition).or_insert(origin);
            let state = State { guard, memory: self.state.memory.clone() };
            match taken.is_none_or(|taken| taken == Some(number)) {
                true => self.leave(frame, block, number, edge, state),
                false => self.note_edge(frame, block, number, &state),
            }
        }
    }

    fn refuse(&mut self, frame: &Frame<'a>, block: Block, number: usize, condition: Term) {
        let conditions = self.state.guard.conditions();
        let n_checks = self.out.checks.len();
        let refused = self.out.refused.entry((frame.func, block, number)).or_default();
        refused.push(Refused { conditions, condition, n_checks });
    }

    /// The present state if a condition holds as well; none if it cannot.
    pub fn state_if(&mut self, condition: Term) -> Option<State> {
        let guard = self.state.guard.with(&mut self.terms, condition)?;
        Some(State { guard, memory: self.state.memory.clone() })
    }
}
