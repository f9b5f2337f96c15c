//! `cover-one FILE CRITERION ATTACK`: what `quipu cover` does, in a process of its own, and what it costs. The parent
//! reads the answer from lines on standard output.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use quipu_cfront::Program;
use quipu_cover::{FunctionReport, Options, Verdict, attack, confirm, cover, goals_of, withdraw_proofs};
use quipu_inputs::Interface;
use quipu_replay::{ReplayLimits, ReplaySetup, Replayer, Witness};

use super::program::{Target, Wanted, functions, load};
use super::quipu::{Answer, Found, Function};
use crate::usage;

/// Covers a file and prints what came out.
pub fn run_one(arguments: &[String]) -> Result<ExitCode, String> {
    let [file, criterion, attacks] = arguments else {
        return Err("cover-one needs FILE CRITERION ATTACK".to_owned());
    };
    let wanted = Wanted::named(criterion).ok_or_else(|| format!("unknown criterion `{criterion}`"))?;
    let attacks = attacks.parse().map_err(|_| "ATTACK should be a number of runs".to_owned())?;
    let options = Options { attack: attacks, ..wanted.options() };
    print!("{}", answer(Path::new(file), &options)?.encode());
    Ok(ExitCode::SUCCESS)
}

fn answer(file: &Path, options: &Options) -> Result<Answer, String> {
    let program = load(file)?;
    let (funcs, _) = functions(&program, file);
    let (mut search_seconds, mut solve_seconds) = (0.0, 0.0);
    let mut targets = Vec::new();
    let mut reports = Vec::new();
    for func in funcs {
        let before = usage::thread_cpu_ns();
        let target = Target::new(&program, func, options);
        let goals = goals_of(&program, func, options);
        let all: Vec<_> = goals.all().ids().collect();
        let report = cover(&program, &target.subject, goals, &all, options)
            .map_err(|_| "no input satisfies the assumptions of the program".to_owned())?;
        let seconds = (usage::thread_cpu_ns() - before) as f64 / 1e9;
        search_seconds += seconds;
        // Elapsed time, which is longer where the machine is busy with something else.
        solve_seconds += report.statistics.solve_seconds.min(seconds);
        targets.push(target);
        reports.push(report);
    }
    replay(&program, file, &targets, &mut reports, options);
    let hits = |(target, report)| attack(&program, target, report, options).len();
    let hits = targets.iter().map(|target| &target.subject).zip(&reports).map(hits).collect::<Vec<usize>>();
    let functions = reports.iter().zip(hits).map(|(report, hits)| function(&program, report, hits)).collect();
    Ok(Answer {
        functions,
        search_seconds,
        solve_seconds,
        children_seconds: usage::cpu_of_children_ms() as f64 / 1e3,
        peak_kib: usage::peak_kib(),
    })
}

/// Tries the tests on the compiled program; if it cannot be compiled, no test counts.
fn replay(
    program: &Program,
    file: &Path,
    targets: &[Target],
    reports: &mut [FunctionReport],
    options: &Options,
) {
    let interfaces: Vec<Interface> = targets.iter().map(|target| target.interface().clone()).collect();
    let files: [PathBuf; 1] = [file.to_path_buf()];
    let setup = ReplaySetup {
        files: &files,
        edits: &[],
        additions: &[],
        flags: &[],
        options: &quipu_cfront::Options::default(),
        module: &program.module,
        interfaces: &interfaces,
        limits: ReplayLimits::default(),
        alarm: quipu_limits::Alarm::never(),
    };
    match Replayer::build(&setup) {
        Ok(mut replayer) => {
            let mut witness = Witness::new(setup);
            for (n, (target, report)) in targets.iter().zip(reports.iter_mut()).enumerate() {
                confirm(program, &mut replayer, &mut witness, n, &target.subject, report, options);
            }
            withdraw_proofs(&program.module, reports);
        }
        Err(error) => {
            eprintln!("{}: not compiled with probes: {error}", file.display());
            reports.iter_mut().for_each(|report| report.withdraw("the program was not compiled"));
        }
    }
}

fn function(program: &Program, report: &FunctionReport, hits: usize) -> Function {
    let found = |verdict: &Verdict| match verdict {
        Verdict::Covered { .. } => Found::Covered,
        Verdict::Unreachable(_) => Found::Unreachable,
        Verdict::Excluded(..) | Verdict::AfterUndefined(..) => Found::ToBound,
        Verdict::UnreachableToBound(_) => Found::ToBound,
        Verdict::GaveUp(_) => Found::GaveUp,
    };
    Function {
        name: program.module.functions[report.func].source_name.clone(),
        goals: report.verdicts.iter().map(found).collect(),
        tests: report.tests.len(),
        disagreements: report.disagreements.len(),
        hits,
    }
}
