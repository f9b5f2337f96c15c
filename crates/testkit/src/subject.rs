//! Our side of a comparison: the front end and the interpreter on a C file.

use std::path::Path;

use quipu_cfront::Options;
use quipu_interp::{Limits, Machine, NoObserver, Outcome, ZeroInputs};

use crate::differential::Observation;

/// Steps after which a generated program is taken to be endless.
const MAX_STEPS: u64 = 200_000_000;

/// What the interpreter makes of functions of a file, each run from the start of the program.
pub fn observe(file: &Path, entries: &[&str]) -> Vec<Observation> {
    let options = Options::default();
    let program = match quipu_cfront::compile(&[file.to_path_buf()], &options) {
        Ok(program) => program,
        Err(failure) => {
            let refusal = Observation::Failed(format!("front end: {failure}"));
            return vec![refusal; entries.len()];
        }
    };
    let mut machine = Machine::new(&program.module, Limits { steps: MAX_STEPS, ..Limits::default() });
    entries.iter().map(|entry| observe_entry(&mut machine, entry)).collect()
}

fn observe_entry(machine: &mut Machine<'_>, entry: &str) -> Observation {
    let Some(func) = machine.module().function(entry) else {
        return Observation::Failed(format!("no function `{entry}`"));
    };
    machine.reset();
    match machine.run(func, &[], &mut ZeroInputs, &mut NoObserver) {
        Outcome::Returned(Some(value)) => Observation::Checksum(value),
        Outcome::Event { event, span, detail, .. } => {
            Observation::Undefined { events: vec![event], line: Some(span.line), message: detail }
        }
        Outcome::Unsupported { what, span, .. } => {
            Observation::Failed(format!("unsupported: {what} (line {})", span.line))
        }
        other => Observation::Failed(format!("{other:?}")),
    }
}
