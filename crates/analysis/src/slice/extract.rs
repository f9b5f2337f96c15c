//! A slice as a program: what is not needed is taken out.
//!
//! Blocks and instructions keep their numbers. Where a branch does not matter, control goes to where all its ways meet:
//! what lies in between is not needed, nor are parameters of the block where they meet, as these would depend on the
//! branch. Arguments and results that nobody looks at are zeros.

use quipu_base::{Id, IdVec};
use quipu_ir::{
    Block, Body, Cfg, Edge, Func, FuncBody, Function, Inst, InstKind, Module, Terminator, Unreachable, Value,
    ValueDef,
};

use super::Slicer;
use super::needs::Needs;
use crate::points_to::Site;

/// The program with nothing but what is needed.
pub(super) fn extract(slicer: &Slicer<'_>, needs: &Needs<'_, '_>) -> Module {
    let mut module = slicer.module.clone();
    for func in slicer.points_to.functions().into_iter().filter(|&func| !slicer.untouched[func]) {
        let ret = module.functions[func].ret;
        let function: &mut Function = &mut module.functions[func];
        let Body::Defined(body) = &mut function.body else { continue };
        let mut extraction = Extraction { slicer, needs, func, ret, body };
        extraction.blocks();
        extraction.clear_unreachable();
        extraction.names();
    }
    module
}

struct Extraction<'a, 's, 'm> {
    slicer: &'a Slicer<'m>,
    needs: &'a Needs<'s, 'm>,
    func: Func,
    ret: Option<quipu_ir::Ty>,
    body: &'a mut FuncBody,
}

impl Extraction<'_, '_, '_> {
    fn blocks(&mut self) {
        let kept: Vec<(Block, Vec<bool>)> =
            self.body.blocks.ids().map(|block| (block, self.kept_params(block))).collect();
        let ends = self.ends();
        for &(block, _) in &kept {
            match ends[block] {
                true => self.clear(block),
                false => {
                    self.insts(block);
                    self.terminator(block);
                }
            }
        }
        self.params(&kept);
    }

    /// The blocks from which all paths end the program, and none leads to something that is needed.
    fn ends(&self) -> IdVec<Block, bool> {
        let code = self.slicer.code(self.func);
        let mut ends = code.doomed.clone();
        let needed = |block: &Block| self.needs.blocks.contains(&(self.func, *block));
        let mut open: Vec<Block> = self.body.blocks.ids().filter(needed).collect();
        while let Some(block) = open.pop() {
            ends[block] = false;
            open.extend(code.cfg.preds[block].iter().filter(|&&from| ends[from]));
        }
        ends
    }

    /// For each parameter of a block whether it is needed. Those of the first block are the function's.
    fn kept_params(&self, block: Block) -> Vec<bool> {
        let is_entry = block == self.body.entry();
        let params = self.body.blocks[block].params.iter();
        params.map(|&param| is_entry || self.needs.has(self.func, param)).collect()
    }

    fn insts(&mut self, block: Block) {
        for inst in 0..self.body.blocks[block].insts.len() {
            let data = &self.body.blocks[block].insts[inst];
            let site = Site { func: self.func, block, inst };
            let is_needed = self.needs.insts.contains(&site) || self.comes_along(data);
            match (&data.kind, is_needed) {
                (_, false) => nothing(&mut self.body.blocks[block].insts[inst]),
                (InstKind::Call(_, args), true) => {
                    let args = args.clone().into_iter().map(|arg| self.value_or_zero(arg)).collect();
                    let data = &mut self.body.blocks[block].insts[inst];
                    if let InstKind::Call(_, old) = &mut data.kind {
                        *old = args;
                    }
                }
                _ => {}
            }
        }
    }

    /// What needs nothing that is not there anyway: the marks of statements, and checks.
    fn comes_along(&self, inst: &Inst) -> bool {
        match inst.kind {
            InstKind::Stmt(_) => true,
            InstKind::Check(_, a, b) => self.needs.has(self.func, a) && self.needs.has(self.func, b),
            _ => false,
        }
    }

    fn terminator(&mut self, block: Block) {
        let decides =
            matches!(self.body.blocks[block].term, Terminator::Branch { .. } | Terminator::Switch { .. });
        if decides && !self.needs.ways.contains(&(self.func, block)) {
            let meeting = self.slicer.code(self.func).meeting(block);
            let term = match meeting {
                Some(target) => Terminator::Jump(self.jump_to(target)),
                None => Terminator::Return(self.ret.map(|ty| self.body.constant(ty, ValueDef::Const(0)))),
            };
            self.body.blocks[block].term = term;
            return;
        }
        if let Terminator::Return(Some(value)) = self.body.blocks[block].term {
            self.body.blocks[block].term = Terminator::Return(Some(self.value_or_zero(value)));
        }
    }

    /// An edge with an argument for each parameter; none of them is needed.
    fn jump_to(&mut self, target: Block) -> Edge {
        let types: Vec<quipu_ir::Ty> =
            self.body.blocks[target].params.iter().map(|&param| self.body.ty(param)).collect();
        let args = types.into_iter().map(|ty| self.body.constant(ty, ValueDef::Const(0))).collect();
        Edge { target, args, outcome: None }
    }

    fn value_or_zero(&mut self, value: Value) -> Value {
        match self.needs.has(self.func, value) {
            true => value,
            false => {
                let ty = self.body.ty(value);
                self.body.constant(ty, ValueDef::Const(0))
            }
        }
    }

    /// Takes parameters out that are not needed, and what is passed for them.
    fn params(&mut self, kept: &[(Block, Vec<bool>)]) {
        for (block, keep) in kept {
            retain(&mut self.body.blocks[*block].params, keep);
            let mut term = std::mem::replace(&mut self.body.blocks[*block].term, Terminator::ReturnMissing);
            for edge in term.edges_mut() {
                retain(&mut edge.args, &kept[edge.target.index()].1);
            }
            self.body.blocks[*block].term = term;
        }
    }

    fn clear_unreachable(&mut self) {
        let cfg = Cfg::compute(self.body);
        let mut reached = vec![false; self.body.blocks.len()];
        cfg.reverse_postorder.iter().for_each(|block| reached[block.index()] = true);
        for block in self.body.blocks.ids().filter(|block| !reached[block.index()]) {
            self.clear(block);
            self.body.blocks[block].params.clear();
        }
    }

    /// Makes a block the end of the run.
    fn clear(&mut self, block: Block) {
        let data = &mut self.body.blocks[block];
        data.insts.iter_mut().filter(|inst| !matches!(inst.kind, InstKind::Stmt(_))).for_each(nothing);
        data.term = Terminator::Unreachable(Unreachable::NoReturn);
    }

    fn names(&mut self) {
        let (needs, func) = (self.needs, self.func);
        self.body.names.retain(|named| needs.has(func, named.value));
    }
}

fn nothing(inst: &mut Inst) {
    (inst.kind, inst.result) = (InstKind::Nothing, None);
}

fn retain(values: &mut Vec<Value>, keep: &[bool]) {
    let mut keep = keep.iter();
    values.retain(|_| *keep.next().expect("one for each"));
}
