//! Tests on the compiled program.

use quipu_cover::{FunctionReport, confirm, withdraw_proofs};
use quipu_ir::Func;
use quipu_replay::{Replayer, Witness};

use super::{Loaded, Tested, replay_setup};
use crate::args::Search;
use crate::worker::Worker;
use crate::worker::journal::Phase;

/// Tries the tests on the compiled program.
pub fn replay(
    loaded: &Loaded,
    tested: &[Tested<'_>],
    reports: &mut [FunctionReport],
    search: &Search,
    worker: &Worker,
) {
    let interfaces: Vec<_> = tested.iter().map(|one| one.subject.interface.clone()).collect();
    let setup = replay_setup(loaded, &interfaces, search, worker);
    let mut replayer = match build(&setup, worker) {
        Ok(replayer) => replayer,
        Err(why) => return reports.iter_mut().for_each(|report| report.withdraw(&why)),
    };
    let mut witness = Witness::new(setup);
    for (n, (one, report)) in tested.iter().zip(reports.iter_mut()).enumerate() {
        let Tested { subject, options, .. } = one;
        match worker.begin_replay(n) {
            Some(reason) => report.withdraw(&quipu_report::gave_up_because(&loaded.program, &reason)),
            None => confirm(&loaded.program, &mut replayer, &mut witness, n, subject, report, options),
        }
    }
    withdraw_proofs(&loaded.program.module, reports);
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

/// Compiles the program with probes, or tells why that cannot be done.
fn build<'a>(setup: &quipu_replay::ReplaySetup<'a>, worker: &Worker) -> Result<Replayer<'a>, String> {
    if worker.begin(Phase::Build).is_some() {
        return Err("compiling it took too much, or crashed".to_string());
    }
    Replayer::build(setup).map_err(|error| {
        eprintln!("error: the program cannot be compiled with probes, so no test is confirmed\n{error}");
        match setup.alarm.cause() {
            Some(cause) => format!("the program was not compiled, as {cause}"),
            None => "the program was not compiled".to_string(),
        }
    })
}
