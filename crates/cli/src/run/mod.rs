//! `quipu run`: a function on given arguments, in the interpreter.

mod answer;
mod trace;

use quipu_cfront::Program;
use quipu_interp::value_text::{TextError, TextInputs, ValueText, parse_arguments, place_argument};
use quipu_interp::{Limits, Machine, NoObserver, ObjectKind, Outcome, Trace};
use quipu_ir::{Body, Func, Function, SourceType, TypeId};

use crate::args::Run;
use crate::exit::Exit;
use crate::load;
use crate::render;

/// Runs the function and prints what happened.
pub fn run(run: &Run) -> Exit {
    match try_run(run) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_run(run: &Run) -> Result<Exit, Exit> {
    let program = load::load(&run.source)?;
    let func = load::find_function(&program, &run.function)?;
    require_code(&program, func)?;
    let function = &program.module.functions[func];
    let text = written_arguments(run, function);
    let values = parse_arguments(&text).map_err(|error| complain_about(&text, &error))?;
    let inputs = TextInputs::parse(&program.module, &run.inputs);
    let mut inputs = inputs.map_err(|error| complain_about(&run.inputs, &error))?;
    let mut machine = Machine::new(&program.module, Limits { steps: run.steps, ..Limits::default() });
    let args = arguments(&mut machine, function, &values, &text)?;
    let mut trace = run.trace.then(Trace::default);
    let outcome = match &mut trace {
        Some(trace) => machine.run(func, &args, &mut inputs, trace),
        None => machine.run(func, &args, &mut inputs, &mut NoObserver),
    };
    let answer =
        answer::Answer { program: &program, machine: &machine, func, args: &args, outcome: &outcome };
    match run.json {
        true => render::print(&answer.json(trace.as_ref())),
        false => render::print(&answer.text(trace.as_ref())),
    }
    Ok(exit_code(&outcome))
}

/// The arguments on the command line; `main` without any is started as by a shell.
fn written_arguments(run: &Run, function: &Function) -> String {
    const MAIN: [&str; 3] = ["1", "{\"main\", NULL}", "{NULL}"];
    match function.source_name == "main" && run.args.trim().is_empty() {
        true => MAIN[..function.params.len().min(MAIN.len())].join(", "),
        false => run.args.clone(),
    }
}

fn require_code(program: &Program, func: Func) -> Result<(), Exit> {
    let function = &program.module.functions[func];
    match &function.body {
        Body::Defined(_) => Ok(()),
        Body::Declared => Err(load::complain(&format!("error: `{}` has no body to run", function.name))),
        Body::Unsupported(_) => {
            load::report_unsupported(program, &[func]);
            Err(Exit::GaveUp)
        }
    }
}

/// The arguments of the IR function: the hidden ones, and the written ones placed in memory.
fn arguments(
    machine: &mut Machine<'_>,
    function: &Function,
    values: &[ValueText],
    text: &str,
) -> Result<Vec<u64>, Exit> {
    let wanted = function.params.iter().filter(|param| param.source.is_some()).count();
    if values.len() != wanted {
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!(
            "error: `{}` takes {wanted} argument{plural}, but {} were given",
            function.name,
            values.len()
        );
        let hint = format!("  = hint: --args '{}'", parameter_hint(function));
        return Err(load::complain(&format!("{message}\n{hint}")));
    }
    let mut values = values.iter();
    let mut args = Vec::new();
    for (n, param) in function.params.iter().enumerate() {
        args.push(match param.source {
            Some(ty) => {
                let value = values.next().expect("the arguments should have been counted");
                place_argument(machine, value, ty).map_err(|error| complain_about(text, &error))?
            }
            None if n == 0 && function.returns_struct => result_place(machine, function)?,
            None => no_variadic_arguments(machine)?,
        });
    }
    Ok(args)
}

fn parameter_hint(function: &Function) -> String {
    let names = function.params.iter().filter(|param| param.source.is_some());
    let shown =
        names.enumerate().map(|(n, param)| param.name.clone().unwrap_or_else(|| format!("arg{}", n + 1)));
    shown.collect::<Vec<_>>().join(", ")
}

/// The source type of a function's result.
fn result_type(machine: &Machine<'_>, function: &Function) -> Option<TypeId> {
    match machine.module().types[function.ty] {
        SourceType::Function { ret, .. } => Some(ret),
        _ => None,
    }
}

fn result_place(machine: &mut Machine<'_>, function: &Function) -> Result<u64, Exit> {
    let mut ty = result_type(machine, function);
    while let Some(SourceType::Typedef { of, .. }) = ty.map(|ty| &machine.module().types[ty]) {
        ty = Some(*of);
    }
    let (size, align) = match ty.map(|ty| &machine.module().types[ty]) {
        Some(SourceType::Record { size: Some(size), align, .. }) => (*size, *align),
        _ => (0, 1),
    };
    machine.memory_mut().allocate(ObjectKind::Heap, size, align).map_err(|_| Exit::GaveUp)
}

fn no_variadic_arguments(machine: &mut Machine<'_>) -> Result<u64, Exit> {
    machine.memory_mut().allocate(ObjectKind::Heap, 0, 8).map_err(|_| Exit::GaveUp)
}

/// Shows a text from the command line with a caret under the mistake.
fn complain_about(text: &str, error: &TextError) -> Exit {
    let at = error.at.min(text.len());
    let pad = " ".repeat(text.get(..at).map_or(at, |before| before.chars().count()));
    load::complain(&format!("error: {}\n  {text}\n  {pad}^", error.message))
}

fn exit_code(outcome: &Outcome) -> Exit {
    match outcome {
        Outcome::Returned(_) | Outcome::Exited(_) => Exit::Fine,
        Outcome::Aborted | Outcome::AssertionFailed { .. } | Outcome::Event { .. } => Exit::Finding,
        Outcome::LimitReached(_)
        | Outcome::InputsExhausted { .. }
        | Outcome::Unsupported { .. }
        | Outcome::AssumptionFailed => Exit::GaveUp,
    }
}
