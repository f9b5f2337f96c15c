//! The decisions of a run, with the values that were compared.

use quipu_cfront::Program;
use quipu_inputs::{Inputs, NothingMore};
use quipu_interp::Observer;
use quipu_ir::{Block, Func, Module, Span, Terminator};

use crate::options::Options;
use crate::subject::{Bench, Subject, gates};

/// A decision that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decided {
    pub func: Func,
    pub block: Block,
    /// The edge by which the block was left.
    pub edge: usize,
    /// The comparison in the block that came last, by the number of its instruction, and its operands.
    pub compared: Option<(usize, u64, u64)>,
}

impl Decided {
    /// Where the condition stands, or the controlling expression of a `switch`.
    pub fn span(&self, module: &Module) -> Span {
        self.source(module).0
    }

    /// The text of the condition, or of the controlling expression of a `switch`.
    pub fn text<'m>(&self, module: &'m Module) -> &'m str {
        self.source(module).1
    }

    fn source<'m>(&self, module: &'m Module) -> (Span, &'m str) {
        let code = module.functions[self.func].code().expect("decisions are in code");
        match &code.blocks[self.block].term {
            Terminator::Branch { cond: Some(cond), .. } => (code.conds[*cond].span, &code.conds[*cond].text),
            Terminator::Switch { decision: Some(decision), .. } => {
                (code.decisions[*decision].span, &code.decisions[*decision].text)
            }
            _ => unreachable!("only decisions are recorded"),
        }
    }
}

struct Recorder<'m> {
    module: &'m Module,
    last: Option<(Func, Block, usize, u64, u64)>,
    decided: Vec<Decided>,
}

impl Observer for Recorder<'_> {
    const COMPARES: bool = true;

    fn compare(&mut self, func: Func, block: Block, inst: usize, a: u64, b: u64) {
        self.last = Some((func, block, inst, a, b));
    }

    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        let code = self.module.functions[func].code().expect("what runs has code");
        let last = self.last.take();
        let decides = match code.blocks[block].term {
            Terminator::Branch { cond, .. } => cond.is_some(),
            Terminator::Switch { decision, .. } => decision.is_some(),
            _ => false,
        };
        if decides {
            let here = last.filter(|&(f, b, ..)| (f, b) == (func, block));
            let compared = here.map(|(_, _, inst, a, b)| (inst, a, b));
            self.decided.push(Decided { func, block, edge, compared });
        }
    }
}

/// The decisions of a run on some inputs.
pub fn decisions(program: &Program, subject: &Subject, inputs: &Inputs, options: &Options) -> Vec<Decided> {
    let gates = gates(subject);
    let mut bench = Bench::new(&program.module, subject, &gates, options);
    let mut recorder = Recorder { module: &program.module, last: None, decided: Vec::new() };
    bench.run(inputs, &mut NothingMore, &mut recorder);
    recorder.decided
}
