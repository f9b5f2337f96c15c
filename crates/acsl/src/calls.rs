//! Where a program evaluates its claims.

use quipu_ir::{Block, Callee, Func, InstKind, Module, ValueDef};

/// A call that ends a run unless a claim holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimCall {
    /// The number of the claim.
    pub claim: usize,
    pub func: Func,
    pub block: Block,
    /// The instruction of the block.
    pub inst: usize,
}

/// All calls of a program by which claims are made. A claim without one stands in text that the preprocessor leaves out:
/// nothing is known about it.
pub fn claim_calls(module: &Module) -> Vec<ClaimCall> {
    let mut found = Vec::new();
    for (func, function) in module.functions.entries() {
        let Some(code) = function.code() else { continue };
        for (block, data) in code.blocks.entries() {
            for (inst, instruction) in data.insts.iter().enumerate() {
                let InstKind::Call(Callee::Direct(called), arguments) = &instruction.kind else { continue };
                let number = arguments.first().map(|number| code.values[*number].def);
                if let Some(ValueDef::Const(number)) = number
                    && module.functions[*called].name == "quipu_claim"
                {
                    found.push(ClaimCall { claim: number as usize, func, block, inst });
                }
            }
        }
    }
    found
}
