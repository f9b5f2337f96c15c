//! `quipu cover`: tests and proofs for the goals of a program.

mod path;

use std::path::{Path, PathBuf};

use quipu_cover::{
    FunctionReport, ReplayOutcome, Test, Verdict, all_paths, attack, cover as cover_function, cover_paths,
    goals_of,
};
use quipu_goals::McdcForm;
use quipu_interp::Outcome;
use quipu_ir::{Body, Func};
use quipu_report::SourceFile;

use crate::args::{Cover, Criterion};
use crate::exit::Exit;
use crate::load;
use crate::progress::Progress;
use crate::render;
use crate::search::{self, Loaded, Tested};
use crate::worker::Worker;
use path::NamedPath;

/// Covers functions and prints the verdicts.
pub fn cover(args: &Cover) -> Exit {
    match try_cover(args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_cover(args: &Cover) -> Result<Exit, Exit> {
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
    let mut tested = search::tested(&loaded, &funcs, &options)?;
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
    let written = match &args.tests {
        Some(path) => worker.export(|| export(&loaded, &reports, path)),
        None => Ok(()),
    };
    let config = loaded.config.as_deref();
    let text = match args.search.json {
        true => quipu_report::json(&loaded.program, &reports, &left_out, config),
        false => quipu_report::text(&loaded.program, &reports, render::style()),
    };
    worker.print(&text);
    written.map(|()| exit_code(&left_out, &reports))
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
    let defined = load::own_functions(&loaded.program, &loaded.files);
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

fn report(loaded: &Loaded, tested: &Tested<'_>, path: Option<&NamedPath>) -> Result<FunctionReport, Exit> {
    let Tested { subject, options, .. } = tested;
    let func = subject.interface.func;
    let goals = goals_of(&loaded.program, func, options);
    let all: Vec<_> = goals.all().ids().collect();
    let mut report = cover_function(&loaded.program, subject, goals, &all, options)
        .map_err(|_| search::explain_contradiction(loaded, tested))?;
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

fn export(loaded: &Loaded, reports: &[FunctionReport], path: &Path) -> Result<(), Exit> {
    let seen = |file: &PathBuf| SourceFile { path: file.clone(), include: include_path(file, path) };
    let files: Vec<SourceFile> = loaded.files.iter().map(seen).collect();
    let text = quipu_report::c_tests(&loaded.program, reports, &files)
        .map_err(|error| load::complain(&format!("error: {error}")))?;
    std::fs::write(path, text)
        .map_err(|error| load::complain(&format!("error: cannot write {}: {error}", path.display())))
}

/// The way from the directory of the test file to a source file.
fn include_path(source: &Path, tests: &Path) -> String {
    let directory = tests.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Ok(source_full), Ok(directory)) = (source.canonicalize(), directory.canonicalize()) else {
        return source.to_string_lossy().into_owned();
    };
    let shared = source_full.components().zip(directory.components()).take_while(|(a, b)| a == b).count();
    let up = directory.components().skip(shared).map(|_| Path::new("..").as_os_str());
    let down = source_full.components().skip(shared).map(|part| part.as_os_str());
    up.chain(down).collect::<PathBuf>().to_string_lossy().into_owned()
}

fn exit_code(left_out: &[Func], reports: &[FunctionReport]) -> Exit {
    // Nobody knows how a run ends that needs what is not supported.
    let ends_nowhere = |test: &Test| matches!(test.observation.outcome, Outcome::Unsupported { .. });
    let misbehaves = |report: &FunctionReport| {
        let bad = |test: &Test| {
            !matches!(test.replay, ReplayOutcome::Confirmed)
                || !quipu_cover::is_clean(&test.observation.outcome) && !ends_nowhere(test)
        };
        !report.disagreements.is_empty() || report.tests.iter().any(bad)
    };
    let undecided = |report: &FunctionReport| {
        let open = |verdict: &Verdict| matches!(verdict, Verdict::GaveUp(_) | Verdict::UnreachableToBound(_));
        report.verdicts.iter().any(open)
            || report.paths.iter().any(|path| open(&path.verdict))
            || report.tests.iter().any(ends_nowhere)
    };
    if reports.iter().any(misbehaves) {
        Exit::Finding
    } else if !left_out.is_empty() || reports.iter().any(undecided) {
        Exit::GaveUp
    } else {
        Exit::Fine
    }
}
