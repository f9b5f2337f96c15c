//! The values that a block reads, with their places.

use crate::function::{BlockData, Value};

impl BlockData {
    /// The values read, in the order of the text form, each with the number of its instruction from 0; the
    /// terminator, whose edge arguments count too, is one behind the last instruction.
    pub fn uses(&self) -> impl Iterator<Item = (usize, Value)> {
        let insts = self.insts.iter().enumerate();
        let in_insts = insts.flat_map(|(n, inst)| inst.kind.operands().map(move |value| (n, value)));
        let args = self.term.edges().flat_map(|edge| edge.args.iter().copied());
        let in_term = self.term.operand().into_iter().chain(args);
        in_insts.chain(in_term.map(|value| (self.insts.len(), value)))
    }
}
