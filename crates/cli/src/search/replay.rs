//! Tests on the compiled program.

use quipu_cover::{FunctionReport, confirm};
use quipu_ir::Func;
use quipu_replay::{Replayer, Witness};

use super::{Loaded, Tested, replay_setup};
use crate::args::Search;

/// Tries the tests on the compiled program.
pub fn replay(loaded: &Loaded, tested: &[Tested<'_>], reports: &mut [FunctionReport], search: &Search) {
    let interfaces: Vec<_> = tested.iter().map(|one| one.subject.interface.clone()).collect();
    let setup = replay_setup(loaded, &interfaces, search);
    match Replayer::build(&setup) {
        Ok(mut replayer) => {
            let mut witness = Witness::new(setup);
            for (n, (one, report)) in tested.iter().zip(reports.iter_mut()).enumerate() {
                let Tested { subject, options, .. } = one;
                confirm(&loaded.program, &mut replayer, &mut witness, n, subject, report, options);
            }
            if let Some(problem) = witness.problem() {
                eprintln!(
                    "warning: the program cannot be compiled with sanitizers, so undefined behaviour is only \
                     predicted\n{problem}"
                );
            }
            let is_gate = |func: &Func| loaded.preconditions.iter().any(|one| one.gate == *func);
            let unmeasured = replayer.unmeasured().iter();
            for (func, reason) in unmeasured.filter(|(func, _)| !is_gate(func)) {
                let name = &loaded.program.module.functions[*func].source_name;
                eprintln!("warning: `{name}` is not measured on the compiled program: {reason}");
            }
        }
        Err(error) => {
            eprintln!("error: the program cannot be compiled with probes, so no test is confirmed\n{error}");
            reports.iter_mut().for_each(|report| report.withdraw("the program was not compiled"));
        }
    }
}
