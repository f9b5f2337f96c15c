//! What a run does in terms of the source: statements, conditions, decisions.

use quipu_ir::{Block, Cond, Decision, Func, Module, Stmt, Terminator};

use crate::observer::Observer;

/// One thing that happened, in terms of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A function with a body is entered.
    Enter(Func),
    /// It returns.
    Leave(Func),
    /// A statement starts.
    Stmt(Func, Stmt),
    /// A condition was evaluated; with the outcome of its decision if that is settled by it.
    Cond(Func, Cond, bool, Option<bool>),
    /// A switch took its arm with this number; the number of arms stands for the default.
    Switch(Func, Decision, usize),
}

/// Is told the steps of a run.
pub trait StepSink {
    fn step(&mut self, step: Step);
}

impl StepSink for Vec<Step> {
    fn step(&mut self, step: Step) {
        self.push(step);
    }
}

/// Turns what the interpreter tells into steps.
pub struct SourceSteps<'a, S> {
    module: &'a Module,
    sink: S,
}

impl<'a, S: StepSink> SourceSteps<'a, S> {
    pub fn new(module: &'a Module, sink: S) -> SourceSteps<'a, S> {
        SourceSteps { module, sink }
    }

    /// Whoever was told the steps.
    pub fn into_sink(self) -> S {
        self.sink
    }
}

impl<S: StepSink> Observer for SourceSteps<'_, S> {
    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        let code = self.module.functions[func].code().expect("only code is executed");
        match &code.blocks[block].term {
            Terminator::Branch { cond: Some(cond), then, otherwise, .. } => {
                let taken = if edge == 0 { then } else { otherwise };
                self.sink.step(Step::Cond(func, *cond, edge == 0, taken.outcome));
            }
            Terminator::Switch { decision: Some(decision), .. } => {
                self.sink.step(Step::Switch(func, *decision, edge));
            }
            _ => {}
        }
    }

    fn stmt(&mut self, func: Func, stmt: Stmt) {
        self.sink.step(Step::Stmt(func, stmt));
    }

    fn enter(&mut self, func: Func) {
        self.sink.step(Step::Enter(func));
    }

    fn leave(&mut self, func: Func) {
        self.sink.step(Step::Leave(func));
    }
}
