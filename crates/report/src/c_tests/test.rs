//! One test as a C function.

use std::collections::{BTreeMap, BTreeSet};

use quipu_cfront::Program;
use quipu_cover::{FunctionReport, ReplayOutcome, Test};
use quipu_ctext::declare;
use quipu_goals::Goal;
use quipu_inputs::{Argument, Mentioned, Request, answered};
use quipu_interp::{InputKind, Outcome, is_library_object};
use quipu_ir::{Func, Module, TypeId};

use super::absence::Absence;
use super::allocators::Allocators;
use super::asserts::{Asserts, Check, is_object_pointer};
use super::comment::comment;
use super::objects::Objects;
use super::registers::{Steady, steady};
use super::scope::Scope;
use super::standins::StandIns;
use super::{series, stubs};
use crate::address::Addresses;
use crate::ending;
use crate::names::counted;
use crate::requests::{declared, plain_name};
use crate::returned::result_type;
use crate::sighting::sighting_parts;
use crate::text::inputs_text;
use crate::undefined::unwritten_reads;
use crate::value::is_function_pointer;

/// What a test is written in.
pub(crate) struct Surroundings<'a, 'm> {
    pub(crate) program: &'a Program,
    pub(crate) report: &'a FunctionReport,
    pub(crate) addresses: &'a Addresses<'m>,
    pub(crate) stand_ins: &'a StandIns,
    pub(crate) allocators: &'a Allocators,
    /// Whether there are answers to forget.
    pub(crate) resets: bool,
    /// Whether the function leaves state behind that no test can set.
    pub(crate) fresh: bool,
    /// Why it does not belong into the file, if runs have shown that.
    pub(crate) failing: Option<&'a Absence>,
    /// What a sanitizer says about it, if that stops it.
    pub(crate) stopped: Option<&'a String>,
}

/// What becomes of a test.
pub(crate) enum Fate {
    Written(Written),
    /// It is not there: why, and a comment that says so.
    LeftOut {
        absence: Absence,
        comment: String,
    },
}

/// A test as a C function.
pub(crate) struct Written {
    pub(crate) name: String,
    pub(crate) run: Run,
    /// The undefined behaviour that it shows, if any.
    pub(crate) undefined: Option<String>,
    /// What a sanitizer says about it, if only that stops it.
    pub(crate) stopped: Option<String>,
    text: String,
}

/// How a test is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Run {
    Here,
    /// In a process of its own, which ends with this status.
    Apart {
        status: i32,
    },
    /// Only if wanted: it does something undefined.
    Undefined,
}

impl Fate {
    pub(crate) fn written(&self) -> Option<&Written> {
        match self {
            Fate::Written(written) => Some(written),
            Fate::LeftOut { .. } => None,
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Fate::Written(written) => &written.text,
            Fate::LeftOut { comment, .. } => comment,
        }
    }
}

impl Written {
    /// Tests that do nothing, each in another way.
    pub(crate) fn nothings() -> Vec<Written> {
        let ways = [Run::Here, Run::Apart { status: 0 }, Run::Undefined];
        let one = |(n, run): (usize, Run)| {
            let name = format!("quipu_nothing_{n}");
            let text = format!("\nstatic void {name}(void) {{ assert(1); }}\n");
            Written { name, run, undefined: None, stopped: None, text }
        };
        ways.into_iter().enumerate().map(one).collect()
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// So many goals are named above a test.
const MOST_GOALS: usize = 12;

/// Whether runs of the function change something that is no input: static objects of functions, large globals.
pub(crate) fn needs_fresh_process(module: &Module, report: &FunctionReport) -> bool {
    let whole = |object| report.interface.objects[object].indices.is_empty();
    let inputs: BTreeSet<_> =
        report.interface.globals().filter(|(object, _)| whole(*object)).map(|(_, global)| global).collect();
    let mut others =
        Mentioned::by(module, report.func).globals.into_iter().filter(|global| !inputs.contains(global));
    others.any(|global| {
        let data = &module.globals[global];
        data.source_name.is_some() && !data.constant && !is_library_object(data)
    })
}

/// Writes a test of a function.
pub(crate) fn write(surroundings: &Surroundings<'_, '_>, scope: &Scope, number: usize, name: String) -> Fate {
    let test = &surroundings.report.tests[number];
    let steady = steady(&surroundings.program.module, surroundings.report, test);
    let text = steady.map_err(Absence::inexpressible).and_then(|steady| match &steady {
        Some(Steady { test, statements }) => written(surroundings, scope, test, statements, &name),
        None => written(surroundings, scope, test, &[], &name),
    });
    match text {
        Ok((text, run)) => {
            let (undefined, stopped) = (undefined(surroundings, test), surroundings.stopped.cloned());
            Fate::Written(Written { name, run, undefined, stopped, text })
        }
        Err(absence) => {
            let Surroundings { program, report, .. } = surroundings;
            let function = &program.module.functions[report.func].source_name;
            let inputs = inputs_text(program, report, test);
            let inputs = if inputs.is_empty() { String::new() } else { format!(" ({inputs})") };
            let text = format!("Left out: test {} of `{function}`{inputs} {absence}.", number + 1);
            Fate::LeftOut { comment: comment(&text), absence }
        }
    }
}

/// The undefined behaviour of a test: what it ends with, or what a sanitizer says.
fn undefined(surroundings: &Surroundings<'_, '_>, test: &Test) -> Option<String> {
    match &test.observation.outcome {
        Outcome::Event { event, span, .. } => Some(format!("{event} in line {}", span.line)),
        _ => surroundings.stopped.cloned(),
    }
}

fn written(
    surroundings: &Surroundings<'_, '_>,
    scope: &Scope,
    test: &Test,
    settings: &[String],
    name: &str,
) -> Result<(String, Run), Absence> {
    let run = run(surroundings, test)?;
    let is_undefined = run == Run::Undefined;
    let mut body = Body::of(surroundings, scope, test, !is_undefined).map_err(Absence::inexpressible)?;
    body.arrange.extend_from_slice(settings);
    let mut out = String::new();
    if is_undefined {
        out.push_str(ONLY_UNDEFINED);
    }
    out.push_str(&comment(&described(surroundings, test)));
    out.push_str(&format!("static void {name}(void)\n{{\n"));
    let sections = [body.arrange, body.act, body.assert];
    let sections = sections.iter().filter(|section| !section.is_empty());
    let sections =
        sections.map(|section| section.iter().map(|line| format!("    {line}\n")).collect::<String>());
    out.push_str(&sections.collect::<Vec<_>>().join("\n"));
    out.push_str("}\n");
    if is_undefined {
        out.push_str("#endif\n");
    }
    Ok((out, run))
}

/// In front of what is there only if tests with undefined behaviour are wanted.
pub(crate) const ONLY_UNDEFINED: &str = "#ifdef QUIPU_UNDEFINED\n";

/// What a test covers, and the undefined behaviour that it shows.
fn described(surroundings: &Surroundings<'_, '_>, test: &Test) -> String {
    let mut covered = covered(surroundings.report, test);
    if let Some(reads) = unwritten_reads(surroundings.program, test) {
        covered = format!("{covered}; undefined behaviour: {reads}, and does not look at the value");
    }
    let Some(undefined) = undefined(surroundings, test) else { return covered };
    let shown = test.sighting.as_ref().map(|sighting| match sighting_parts(sighting) {
        (Some(by), detail) => format!(" ({by}: {detail})"),
        (None, detail) => format!(" (predicted only: {detail})"),
    });
    format!("undefined behaviour: {undefined}{}; {covered}", shown.unwrap_or_default())
}

/// How a test is to be run, or why it is not.
fn run(surroundings: &Surroundings<'_, '_>, test: &Test) -> Result<Run, Absence> {
    if let Some(absence) = surroundings.failing {
        return Err(absence.clone());
    }
    match (&test.replay, &test.observation.outcome) {
        (ReplayOutcome::NotRun(why), _) => Err(Absence::unconfirmed(why)),
        (ReplayOutcome::Disagrees(_), _) => Err(Absence::disagreement()),
        _ if !test.steady => {
            Err(Absence::unsteady(unwritten_reads(surroundings.program, test).unwrap_or_default()))
        }
        (_, Outcome::Event { .. }) => Ok(Run::Undefined),
        (ReplayOutcome::Confirmed, Outcome::Returned(_)) if test.observation.is_led_by_addresses() => {
            Err(Absence::led_by_addresses())
        }
        (ReplayOutcome::Confirmed, Outcome::Returned(_)) if surroundings.stopped.is_some() => {
            Ok(Run::Undefined)
        }
        (ReplayOutcome::Confirmed, Outcome::Exited(_)) if surroundings.stopped.is_some() => {
            Ok(Run::Undefined)
        }
        (ReplayOutcome::Confirmed, Outcome::Returned(_)) if surroundings.fresh => {
            Ok(Run::Apart { status: 0 })
        }
        (ReplayOutcome::Confirmed, Outcome::Returned(_)) => Ok(Run::Here),
        // The system keeps eight bits.
        (ReplayOutcome::Confirmed, Outcome::Exited(status)) => Ok(Run::Apart { status: status & 0xff }),
        (ReplayOutcome::Timeout, _) => Err(Absence::timeout()),
        (ReplayOutcome::Confirmed | ReplayOutcome::Crash(_), outcome) => {
            Err(Absence::no_return(ending::sentence(surroundings.program, outcome)))
        }
    }
}

/// What a test covers, in a sentence.
fn covered(report: &FunctionReport, test: &Test) -> String {
    let goal = |goal: &Goal| format!("line {} \"{}\" {}", goal.span.line, goal.text, goal.outcome);
    let mut parts: Vec<String> =
        test.covers.iter().take(MOST_GOALS).map(|&id| goal(&report.goals.all()[id])).collect();
    if test.covers.len() > MOST_GOALS {
        parts.push(format!("and {}", counted(test.covers.len() - MOST_GOALS, "more goal")));
    }
    if let Some(path) = test.path.and_then(|path| report.paths.get(path)) {
        let steps = path
            .steps
            .iter()
            .map(|step| format!("line {} \"{}\" {}", step.span.line, step.text, step.outcome));
        parts.push(format!("the path {}", steps.collect::<Vec<_>>().join(", ")));
    }
    if parts.is_empty() { "covers nothing new".to_string() } else { format!("covers {}", parts.join("; ")) }
}

/// The statements of a test.
struct Body {
    arrange: Vec<String>,
    act: Vec<String>,
    assert: Vec<String>,
}

impl Body {
    /// With or without assertions: nothing can be said about what follows undefined behaviour.
    fn of(
        surroundings: &Surroundings<'_, '_>,
        scope: &Scope,
        test: &Test,
        asserted: bool,
    ) -> Result<Body, String> {
        let module = &surroundings.program.module;
        let interface = &surroundings.report.interface;
        let mut scope = scope.clone();
        let objects = Objects::of(module, interface, test, &mut scope);
        if let Some(name) = objects.unsettable() {
            return Err(format!("needs a content of `{name}`, which is constant"));
        }
        let (arguments, locals) = arguments(&objects, &mut scope);
        let unnamed = |_| "needs an object whose type has no name".to_string();
        let mut arrange = objects.statements().map_err(unnamed)?;
        arrange.extend(locals);
        arrange.extend(answers(surroundings, test, &mut scope)?);
        let result = scope.pick("result", "_");
        let asserts = Asserts {
            module,
            report: surroundings.report,
            addresses: surroundings.addresses,
            objects: &objects,
        };
        let about_result = if asserted { asserts.result(&result) } else { Vec::new() };
        let changes = if asserted { asserts.changes() } else { Vec::new() };
        let call = format!("{}({})", module.functions[interface.func].source_name, arguments.join(", "));
        let act = act(module, interface.func, test, &call, (!about_result.is_empty()).then_some(&result));
        let checks: Vec<Check> = about_result.into_iter().chain(changes).collect();
        let mut assert = series::statements(module, &checks, &mut scope);
        if !assert.is_empty() {
            assert.insert(0, "/* observed, not specified */".to_string());
        }
        Ok(Body { arrange, act, assert })
    }
}

/// The arguments of the call, and the declarations that they need.
fn arguments(objects: &Objects<'_>, scope: &mut Scope) -> (Vec<String>, Vec<String>) {
    let mut arguments = Vec::new();
    let mut locals = Vec::new();
    for argument in &objects.interface.arguments {
        match *argument {
            Argument::Leaf(leaf) => {
                let (declaration, text) = objects.argument(leaf, scope);
                locals.extend(declaration);
                arguments.push(text);
            }
            Argument::Copy(object) => arguments.push(objects.name(object).unwrap_or_default()),
            Argument::ResultPlace { .. } | Argument::NoVariadic => {}
        }
    }
    (arguments, locals)
}

/// The call. Where a result is looked at it gets a name.
fn act(module: &Module, func: Func, test: &Test, call: &str, result: Option<&String>) -> Vec<String> {
    if let Outcome::Exited(status) = test.observation.outcome {
        return vec![
            format!("{call};"),
            format!("abort(); /* not reached: the call exits with status {status} */"),
        ];
    }
    match (result, result_type(module, func)) {
        (Some(name), Some(ty)) => vec![format!("{} = {call};", result_declaration(module, ty, name, call))],
        _ => vec![format!("{call};")],
    }
}

/// The declaration of a result. What a pointer points to may be qualified, which is not known here.
fn result_declaration(module: &Module, ty: TypeId, name: &str, call: &str) -> String {
    let by_call = || format!("__typeof__({call}) {name}");
    match is_object_pointer(module, ty) {
        true => format!("const void *{name}"),
        false if is_function_pointer(module, ty) => by_call(),
        false => declare(&module.types, ty, name).unwrap_or_else(by_call),
    }
}

/// The statements that say what the environment answers.
fn answers(
    surroundings: &Surroundings<'_, '_>,
    test: &Test,
    scope: &mut Scope,
) -> Result<Vec<String>, String> {
    let module = &surroundings.program.module;
    let mut results: BTreeMap<Func, Vec<&Request>> = BTreeMap::new();
    let mut items = Vec::new();
    for request in &test.observation.requests {
        let name = plain_name(&request.function);
        let refused = || format!("needs an answer of `{name}`, for which nothing stands in");
        match request.kind {
            InputKind::Result | InputKind::ResultMember => {
                results
                    .entry(declared(module, &request.function).ok_or_else(refused)?)
                    .or_default()
                    .push(request);
            }
            InputKind::Byte | InputKind::End | InputKind::Scanned | InputKind::Environment => {
                items.push(surroundings.stand_ins.item(request).ok_or_else(refused)?);
            }
            InputKind::Refusal | InputKind::Volatile => {}
        }
    }
    if !surroundings.allocators.can_tell(test) {
        return Err("needs an allocation to fail for which nothing stands in".to_string());
    }
    let mut lines: Vec<String> =
        surroundings.resets.then(|| "quipu_reset();".to_string()).into_iter().collect();
    lines.extend(surroundings.allocators.statement(test));
    for (func, requests) in results {
        if depends_on_library(module, func, &requests) {
            let name = &module.functions[func].source_name;
            return Err(format!("depends on the order in which the C library calls `{name}`"));
        }
        lines.extend(results_of(module, func, &requests, scope));
    }
    if !items.is_empty() {
        let name = scope.pick("input", "_");
        lines.push(format!("static const union quipu_item {name}[] = {{{}}};", items.join(", ")));
        lines.extend(queued("quipu_input", &name, items.len()));
    }
    Ok(lines)
}

/// Whether what a function returns matters and the C library calls it, as `qsort` does: libraries, and sanitizers in
/// front of them, do that in different orders. Such a call has no place but that of the function.
fn depends_on_library(module: &Module, func: Func, requests: &[&Request]) -> bool {
    let by_library = |request: &&Request| request.span == module.functions[func].span;
    requests.iter().any(by_library) && requests.iter().any(|request| request.bits != 0)
}

fn results_of(module: &Module, func: Func, requests: &[&Request], scope: &mut Scope) -> Vec<String> {
    let name = &module.functions[func].source_name;
    // Behind the last answer everything is zero; only results are worth to be told nevertheless.
    let is_part = answered(name).is_some_and(|answer| !answer.part.is_empty());
    if is_part && requests.iter().all(|request| request.bits == 0) {
        return Vec::new();
    }
    let local = scope.pick(&format!("{name}_results"), "_");
    let calls = requests.chunks(stubs::answers_per_result(module, func));
    let values: Vec<String> = calls.filter_map(|answers| stubs::result(module, func, answers)).collect();
    let declaration =
        result_type(module, func).and_then(|ret| declare(&module.types, ret, &format!("{local}[]")));
    let declaration = declaration.map(|one| format!("static {one} = {{{}}};", values.join(", ")));
    declaration.into_iter().chain(queued(&stubs::queue(name), &local, values.len())).collect()
}

/// Puts an array in a queue.
fn queued(queue: &str, values: &str, count: usize) -> [String; 2] {
    [format!("{queue}.next = {values};"), format!("{queue}.left = {count};")]
}
