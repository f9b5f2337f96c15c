//! Names for blocks and edges in listings and drawings: the words of the source where it has some.

use quipu_ir::{Block, Case, FuncBody, Function, Terminator, Ty};

/// A block, with the source line at which it starts.
pub fn block(body: &FuncBody, block: Block) -> String {
    let data = &body.blocks[block];
    let span = data.insts.first().map_or(data.span, |inst| inst.span);
    format!("{block} line {}", span.line)
}

/// The ways out of a block, in the order of its edges.
pub fn ways(body: &FuncBody, block: Block) -> Vec<String> {
    match &body.blocks[block].term {
        Terminator::Branch { cond, .. } => {
            let what = cond.map(|cond| format!("{} is ", body.conds[cond].text)).unwrap_or_default();
            vec![format!("{what}true"), format!("{what}false")]
        }
        Terminator::Switch { value, cases, .. } => {
            let ty = body.ty(*value);
            let cases = cases.iter().map(|case| format!("case {}", range(ty, case)));
            cases.chain(["default".to_string()]).collect()
        }
        other => other.edges().map(|_| String::new()).collect(),
    }
}

/// A function: its name in the source, and the one in the module where they differ.
pub fn function(function: &Function) -> String {
    if function.name == function.source_name {
        function.name.clone()
    } else {
        format!("{} ({})", function.source_name, function.name)
    }
}

fn range(ty: Ty, case: &Case) -> String {
    let signed = |bits: u64| ty.width().map_or(0, |width| width.signed(bits));
    if case.low == case.high {
        signed(case.low).to_string()
    } else {
        format!("{} ... {}", signed(case.low), signed(case.high))
    }
}
