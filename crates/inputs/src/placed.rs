//! Of which pointers the code can tell where in an array they point.
//!
//! A pointer that is only followed might as well point to the start of an array as to any other of its elements. One
//! that is moved, compared or subtracted, or that goes where it is lost sight of, might not.

use quipu_ir::{Callee, InstKind, Terminator, Value};

use crate::spans::Used;
use crate::usage::Reader;

impl Reader<'_> {
    /// Calls that lead deeper than `depth` are not followed.
    pub(crate) fn find_placed(&mut self, depth: u32) {
        for inst in self.insts() {
            match &inst.kind {
                InstKind::Load { .. }
                | InstKind::LoadBits { .. }
                | InstKind::Copy { .. }
                | InstKind::Zero { .. }
                | InstKind::Unspecify { .. } => {}
                InstKind::Store { value, .. } => self.placed(*value),
                InstKind::PtrAdd(..) => self.moves(inst.result),
                InstKind::IntCmp(_, a, b) if self.is_null(*a) || self.is_null(*b) => {}
                InstKind::Select(_, a, b) => {
                    self.flows(*a, inst.result);
                    self.flows(*b, inst.result);
                }
                // What the callee does is looked at there.
                InstKind::Call(Callee::Direct(callee), _)
                    if depth > 1 && self.module.functions[*callee].code().is_some() => {}
                kind => kind.operands().for_each(|operand| self.placed(operand)),
            }
        }
        for block in self.code.blocks.iter() {
            if let Terminator::Return(Some(value)) = block.term {
                self.placed(value);
            }
            for edge in block.term.edges() {
                for (&argument, &param) in edge.args.iter().zip(&self.code.blocks[edge.target].params) {
                    self.flows(argument, Some(param));
                }
            }
        }
    }

    fn is_null(&self, value: Value) -> bool {
        self.constant(value) == Some(0)
    }

    /// It matters where the pointer points.
    fn placed(&mut self, value: Value) {
        if let Some(path) = self.pointer(value).map(|origin| origin.path.clone()) {
            self.usage.placed.insert(path);
        }
    }

    /// A pointer is moved by a constant, or by something else, which `walked` has.
    fn moves(&mut self, moved: Option<Value>) {
        if let Some(origin) = moved.and_then(|moved| self.pointer(moved)) {
            let (path, by) = (origin.path.clone(), origin.moved.cast_signed());
            self.usage.moves(&path, Used { from: by.min(0), to: by.max(0) });
        }
    }

    /// A value has one origin: where a pointer becomes a value with another one, it is lost sight of.
    fn flows(&mut self, from: Value, to: Option<Value>) {
        let origin = |value: Value| self.pointer(value).map(|origin| &origin.path);
        if to.and_then(origin) != origin(from) {
            self.placed(from);
        }
    }
}
