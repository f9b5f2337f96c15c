//! `quipu check`: violations and proofs of properties.

mod clauses;
mod helpers;
mod kinds;
mod known;
mod plan;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use quipu_acsl::{Note, NoteKind};
use quipu_cover::{
    FunctionReport, Property, ReplayOutcome, SecondOpinion, Standing, Start, Verdict, attack, cover_deeply,
    decisions, second_opinion,
};
use quipu_goals::Criterion;
use quipu_ir::{Event, Func};
use quipu_report::{Checked, CheckedProperty, WitnessTask};

use crate::args::Check;
use crate::check::clauses::Clauses;
use crate::check::known::Known;
use crate::check::plan::{Plan, Wanted};
use crate::exit::Exit;
use crate::load;
use crate::output_file::{OutputFile, Replace};
use crate::progress::Progress;
use crate::render;
use crate::search::{self, Loaded, Tested};
use crate::worker::Worker;

/// Checks properties and prints the verdicts.
pub fn check(args: &Check) -> Exit {
    match try_check(args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_check(args: &Check) -> Result<Exit, Exit> {
    let witness = witness_place(args)?;
    let worker = Worker::new(&args.search);
    let events = kinds::events(&args.ub)?;
    let loaded =
        search::load_with_contracts(&args.source.files, &args.source.flags, &args.search, &args.function)?;
    witness.iter().try_for_each(|place| loaded.spare(place))?;
    let mut options = search::options(&args.search, &worker);
    options.criteria = vec![Criterion::Statement, Criterion::Undefined, Criterion::Assertion];
    options.attack = args.attack;
    let plan = Plan::new(&loaded, args, events, &options)?;
    let entries: Vec<Func> = plan.entries.iter().map(|entry| entry.func).collect();
    let mut tested = search::tested(&loaded, &entries, &options, |func| plan.relies(&loaded, func))?;
    tested.iter_mut().for_each(|one| one.options.depth = u32::MAX);
    loaded.restrict_by_contracts(&mut tested);
    tested.iter().for_each(|one| search::warn_about_null(&loaded, &one.subject));
    let clauses = Clauses::of(&loaded);
    let mut progress = Progress::new(tested.len());
    let (mut reports, wanted) = search_all(&loaded, &plan, &mut tested, &clauses, &worker, &mut progress)?;
    progress.replay();
    search::replay(&loaded, &tested, &mut reports, &args.search, &worker);
    progress.clear();

    let with_parts = tested.iter().zip(reports).zip(wanted);
    let checked: Vec<Checked> = with_parts
        .map(|((one, mut report), mut properties)| {
            clauses.settle(&mut report, &mut properties);
            checked(&loaded, one, report, &properties, &clauses, &plan)
        })
        .filter(Checked::has_something)
        .collect();
    let written = witness.map_or(Ok(()), |place| {
        worker.export(|| write_witness(&loaded, &checked, &place)).and_then(|written| written)
    });
    let (program, config) = (&loaded.program, loaded.config.as_deref());
    let text = match args.search.json {
        true => quipu_report::check_json(program, &checked, &plan.left_out, config),
        false => quipu_report::check_text(program, &checked, render::style(), args.verbose),
    };
    worker.print(&text);
    let is_unchecked = |note: &Note| note.kind == NoteKind::NotChecked;
    written.map(|()| match exit_code(&plan, &checked) {
        // A clause that nobody checks is not proved.
        Exit::Fine if loaded.annotations.notes.iter().any(is_unchecked) => Exit::GaveUp,
        exit => exit,
    })
}

/// What is found out about all functions, and the properties that count in the runs of each.
fn search_all<'l>(
    loaded: &'l Loaded,
    plan: &Plan,
    tested: &mut [Tested<'l>],
    clauses: &Clauses<'_>,
    worker: &Worker,
    progress: &mut Progress,
) -> Result<(Vec<FunctionReport>, Vec<Vec<Property>>), Exit> {
    let mut known = Known::default();
    let mut found = BTreeMap::new();
    for n in plan.bottom_up() {
        let one = &mut tested[n];
        let func = one.subject.interface.func;
        progress.start(&loaded.program.module.functions[func].source_name);
        let own = plan.wanted(loaded, one, clauses, &known);
        let mut properties = own.properties.clone();
        let report = worker.function(n, one, |one| report(loaded, one, own))?;
        known.add(&report, &properties, plan.is_helper(func));
        // The others are looked for in runs of its callers.
        properties
            .retain(|property| !plan.is_helper(func) || known.is_proved(&report.goals.all()[property.goal]));
        found.insert(n, (report, properties));
    }
    Ok(found.into_values().unzip())
}

/// What is found out about the properties of a function. Where no input counts, that is said and nothing is proved.
fn report(loaded: &Loaded, tested: &mut Tested<'_>, wanted: Wanted) -> Result<FunctionReport, Exit> {
    let Tested { subject, options, .. } = tested;
    let Wanted { goals, properties } = wanted;
    let mut places: Vec<_> = properties.iter().filter_map(|property| property.place).collect();
    places.sort_unstable();
    places.dedup();
    let ids: Vec<_> = properties.iter().map(|property| property.goal).chain(places).collect();
    let vacuous = goals.clone();
    let Ok(report) = cover_deeply(&loaded.program, subject, goals, &ids, options) else {
        search::explain_contradiction(loaded, tested);
        return Ok(FunctionReport::vacuous(tested.subject.interface.clone(), vacuous));
    };
    let mut refuted = attack(&loaded.program, subject, &report, options);
    if options.attack > 0 && matches!(options.start, Start::Afresh) {
        let opinion = second_opinion(&loaded.program, subject, &report, options);
        let SecondOpinion { confirmed, unanswered, .. } = opinion;
        let n_refuted = opinion.refuted.len();
        eprintln!(
            "note: SAT alone, on a few turns of loops: of the goals called unreachable, {confirmed} \
             confirmed, {unanswered} without an answer, {n_refuted} refuted"
        );
        refuted.extend(opinion.refuted);
    }
    for (goal, inputs) in &refuted {
        let goal = &report.goals.all()[*goal];
        let place = loaded.program.place(goal.span);
        eprintln!(
            "internal error: {place}: `{}` was called unreachable, but {:?} leads there",
            goal.text, inputs.leaves
        );
    }
    if refuted.is_empty() { Ok(report) } else { Err(Exit::GaveUp) }
}

fn checked(
    loaded: &Loaded,
    tested: &Tested<'_>,
    report: FunctionReport,
    properties: &[Property],
    clauses: &Clauses<'_>,
    plan: &Plan,
) -> Checked {
    let trace = |property: Property| match report.standing(property) {
        Standing::Violated(test) => {
            let all = decisions(&loaded.program, &tested.subject, &test.inputs, &tested.options);
            all.into_iter().filter(|decided| !clauses.decides(decided)).collect()
        }
        _ => Vec::new(),
    };
    let known = |property: Property| CheckedProperty {
        property,
        trace: trace(property),
        clause: clauses.name(&report, property),
    };
    let properties = properties.iter().map(|&property| known(property)).collect();
    let presumes_defined = Event::ALL.iter().any(|(event, _)| !plan.counts(*event));
    let told = loaded.told(report.func);
    Checked { report, properties, presumes_defined, told }
}

/// What the first line of a witness is. A file that starts so may be written anew.
const WITNESS_MARKER: &str = "# Written by quipu";

fn witness_place(args: &Check) -> Result<Option<OutputFile>, Exit> {
    let replace = if args.force { Replace::Forced } else { Replace::Marked(WITNESS_MARKER) };
    let place = args.witness.as_ref().map(|path| OutputFile::new(path, &args.source.files, replace));
    place.transpose().map_err(|message| load::complain(&message))
}

fn write_witness(loaded: &Loaded, checked: &[Checked], place: &OutputFile) -> Result<(), Exit> {
    let failed =
        |file: &Path, error: std::io::Error| load::complain(&format!("error: {}: {error}", file.display()));
    let mut files = Vec::new();
    for file in &loaded.files {
        let text = std::fs::read(file).map_err(|error| failed(file, error))?;
        files.push((file.to_string_lossy().into_owned(), text));
    }
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    match quipu_report::witness(&loaded.program, checked, WitnessTask { files: &files, time }) {
        Some(text) => {
            place.write(&format!("{WITNESS_MARKER}\n{text}")).map_err(|message| load::complain(&message))
        }
        None => {
            eprintln!("note: no witness is written, as some property is open and none is violated");
            Ok(())
        }
    }
}

fn exit_code(plan: &Plan, all: &[Checked]) -> Exit {
    let standings = || {
        all.iter()
            .flat_map(|checked| checked.properties.iter().map(|one| checked.report.standing(one.property)))
    };
    let is_vacuous = |checked: &Checked| {
        use quipu_cover::Proof;
        checked.report.verdicts.iter().any(|verdict| matches!(verdict, Verdict::Unreachable(Proof::NoInputs)))
    };
    let disagrees = |checked: &Checked| {
        !checked.report.disagreements.is_empty()
            || checked.report.tests.iter().any(|test| matches!(test.replay, ReplayOutcome::Disagrees(_)))
    };
    let is_undefined = |checked: &Checked| checked.report.always_undefined.is_some();
    let open = |standing: Standing<'_>| {
        !matches!(standing, Standing::Violated(_) | Standing::Proved(_) | Standing::Unreachable(_))
    };
    if standings().any(|standing| matches!(standing, Standing::Violated(_))) || all.iter().any(disagrees) {
        Exit::Finding
    } else if !plan.left_out.is_empty()
        || all.iter().any(is_vacuous)
        || standings().any(open)
        || all.iter().any(is_undefined)
    {
        Exit::GaveUp
    } else {
        Exit::Fine
    }
}
