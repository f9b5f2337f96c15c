//! `quipu cover`: tests and proofs for the goals of a program.

mod export;
mod path;

use quipu_cover::{
    FunctionReport, ReplayOutcome, Test, Verdict, all_paths, attack, cover_deeply, cover_paths, goals_of,
};
use quipu_goals::McdcForm;
use quipu_interp::Outcome;
use quipu_ir::{Body, Func};
use quipu_report::Export;

use crate::args::{Cover, Criterion};
use crate::exit::Exit;
use crate::load;
use crate::progress::Progress;
use crate::render;
use crate::search::{self, Loaded, Tested};
use crate::worker::Worker;
use export::Wanted;
use path::NamedPath;

/// Covers functions and prints the verdicts.
pub fn cover(args: &Cover) -> Exit {
    match try_cover(args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_cover(args: &Cover) -> Result<Exit, Exit> {
    let wanted = Wanted::by(args)?;
    let worker = Worker::new(&args.search);
    let loaded = search::load(&args.source.files, &args.source.flags, &args.search, &args.function)?;
    let mut options = search::options(&args.search, &worker);
    let path = args.path.as_deref().map(|text| NamedPath::find(&loaded, args, text)).transpose()?;
    options.criteria = match &path {
        Some(_) => Vec::new(),
        None => args.criterion.iter().filter_map(|&criterion| criterion_of(criterion)).collect(),
    };
    options.paths = path.is_some() || args.criterion.contains(&Criterion::Path);
    options.depth = args.depth;
    options.attack = args.attack;

    let (funcs, left_out) = match &path {
        Some(path) => (vec![path.func], Vec::new()),
        None => functions(&loaded, args)?,
    };
    let mut tested = search::tested(&loaded, &funcs, &options, |_| false)?;
    wanted.iter().try_for_each(|wanted| wanted.check(&loaded))?;
    tested.iter().for_each(|one| search::warn_about_null(&loaded, &one.subject));
    let mut reports = Vec::new();
    let mut progress = Progress::new(funcs.len());
    for (n, one) in tested.iter_mut().enumerate() {
        progress.start(&loaded.program.module.functions[one.subject.interface.func].source_name);
        reports.push(worker.function(n, one, |one| report(&loaded, one, path.as_ref()))?);
    }
    progress.replay();
    search::replay(&loaded, &tested, &mut reports, &args.search, &worker);
    progress.clear();
    let export = wanted.map(|wanted| worker.export(|| wanted.write(&loaded, &reports))).transpose();
    let written = export.as_ref().ok().and_then(Option::as_ref);
    worker.print(&printed(&loaded, &reports, &left_out, written, args.search.json));
    match export?.and_then(|export| export.error) {
        Some(error) => Err(load::complain(&format!("error: {error}"))),
        None => Ok(exit_code(&left_out, &reports)),
    }
}

/// What is known, as text or as JSON.
fn printed(
    loaded: &Loaded,
    reports: &[FunctionReport],
    left_out: &[Func],
    export: Option<&Export>,
    json: bool,
) -> String {
    let (program, style) = (&loaded.program, render::style());
    if json {
        return quipu_report::json(program, reports, left_out, loaded.config.as_deref(), export);
    }
    let mut text = quipu_report::text(program, reports, style);
    text.extend(export.map(|export| export.text(program, reports, style)));
    text
}

fn criterion_of(criterion: Criterion) -> Option<quipu_goals::Criterion> {
    Some(match criterion {
        Criterion::Statement => quipu_goals::Criterion::Statement,
        Criterion::Branch => quipu_goals::Criterion::Branch,
        Criterion::Condition => quipu_goals::Criterion::Condition,
        Criterion::Decision => quipu_goals::Criterion::Decision,
        Criterion::Mcdc => quipu_goals::Criterion::Mcdc(McdcForm::Masking),
        Criterion::McdcUnique => quipu_goals::Criterion::Mcdc(McdcForm::UniqueCause),
        Criterion::Boundary => quipu_goals::Criterion::Boundary,
        Criterion::Undefined => quipu_goals::Criterion::Undefined,
        Criterion::Path => return None,
    })
}

/// The functions under test: those named, else all that the files define; and those that are left out because they are
/// not supported.
fn functions(loaded: &Loaded, args: &Cover) -> Result<(Vec<Func>, Vec<Func>), Exit> {
    if !args.function.is_empty() {
        let named: Result<Vec<Func>, Exit> =
            args.function.iter().map(|name| search::testable(loaded, name)).collect();
        return named.map(|named| (named, Vec::new()));
    }
    let module = &loaded.program.module;
    let defined = load::own_functions(&loaded.program, loaded.tested_files());
    load::report_unsupported(&loaded.program, &defined);
    let (with_code, others): (Vec<Func>, Vec<Func>) =
        defined.into_iter().partition(|&func| module.functions[func].code().is_some());
    let is_unsupported = |func: &Func| matches!(module.functions[*func].body, Body::Unsupported(_));
    let left_out = others.into_iter().filter(is_unsupported).collect();
    match with_code.is_empty() {
        true => Err(load::complain("error: the program defines no function that can be tested")),
        false => Ok((with_code, left_out)),
    }
}

fn report(
    loaded: &Loaded,
    tested: &mut Tested<'_>,
    path: Option<&NamedPath>,
) -> Result<FunctionReport, Exit> {
    let Tested { subject, options, .. } = tested;
    let func = subject.interface.func;
    let goals = goals_of(&loaded.program, func, options);
    let all: Vec<_> = goals.all().ids().collect();
    let covered = cover_deeply(&loaded.program, subject, goals, &all, options);
    let Ok(mut report) = covered else { return Err(search::explain_contradiction(loaded, tested)) };
    let refuted = attack(&loaded.program, subject, &report, options);
    for (goal, inputs) in &refuted {
        let goal = &report.goals.all()[*goal];
        let place = loaded.program.place(goal.span);
        eprintln!(
            "internal error: {place}: `{}` {} was called unreachable, but {:?} gets there",
            goal.text, goal.outcome, inputs.leaves
        );
    }
    if !refuted.is_empty() {
        return Err(Exit::GaveUp);
    }
    if options.paths {
        let paths = match path {
            Some(path) => path.paths.clone(),
            None => all_paths(&loaded.program, func, options),
        };
        cover_paths(&loaded.program, subject, &mut report, &paths, options);
    }
    Ok(report)
}

fn exit_code(left_out: &[Func], reports: &[FunctionReport]) -> Exit {
    // Nobody knows how a run ends that needs what is not supported.
    let ends_nowhere = |test: &Test| matches!(test.observation.outcome, Outcome::Unsupported { .. });
    // What the program assumes of its inputs does not hold, which is no fault of the program.
    let is_excluded = |test: &Test| test.observation.outcome == Outcome::AssumptionFailed;
    let misbehaves = |report: &FunctionReport| {
        let bad = |test: &Test| {
            let is_clean = quipu_cover::is_clean(&test.observation.outcome);
            !matches!(test.replay, ReplayOutcome::Confirmed)
                || !test.observation.unwritten.is_empty()
                || !is_clean && !ends_nowhere(test) && !is_excluded(test)
        };
        !report.disagreements.is_empty() || report.tests.iter().any(bad)
    };
    let undecided = |report: &FunctionReport| {
        let open = |verdict: &Verdict| !verdict.is_decided();
        report.verdicts.iter().any(open)
            || report.paths.iter().any(|path| open(&path.verdict))
            || report.tests.iter().any(ends_nowhere)
            || report.always_undefined.is_some()
    };
    if reports.iter().any(misbehaves) {
        Exit::Finding
    } else if !left_out.is_empty() || reports.iter().any(undecided) {
        Exit::GaveUp
    } else {
        Exit::Fine
    }
}
