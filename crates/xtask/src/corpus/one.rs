//! One file, compiled in this process: `corpus-one ROOT FILE FLAG...`, which prints the [`Outcome`].

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use quipu_cfront::{Options, Program};
use quipu_ir::{Body, Function, Module, Span};

use super::outcome::{Failure, Outcome, RoundTrip, Unsupported};
use crate::usage;

/// The longest time for one file.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Modules with more functions are not printed and parsed again.
const ROUND_TRIP_FUNCTIONS: usize = 3000;

/// The verifier's errors that are reported for one file.
const VERIFY_ERRORS: usize = 20;

/// The first panic of any thread.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Compiles one file and prints the outcome.
///
/// # Errors
///
/// When the command line is wrong.
pub fn run_one(args: &[String]) -> Result<ExitCode, String> {
    let [root, file, flags @ ..] = args else { return Err("corpus-one needs ROOT FILE FLAG...".to_string()) };
    remember_panics();
    limit_time();
    let outcome = std::panic::catch_unwind(|| compile(Path::new(root), file, flags)).unwrap_or_default();
    print!("{}", with_panic(outcome).encode());
    Ok(ExitCode::SUCCESS)
}

fn remember_panics() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut first) = PANIC.lock() {
            first.get_or_insert_with(|| info.to_string());
        }
    }));
}

/// Ends the process when the time is over.
fn limit_time() {
    std::thread::spawn(|| {
        std::thread::sleep(TIME_LIMIT);
        let why = format!("takes more than {} seconds", TIME_LIMIT.as_secs());
        print!("{}", Outcome::failed(Failure::Crashed(why)).encode());
        std::process::exit(0);
    });
}

/// The outcome, unless something panicked on the way to it.
fn with_panic(outcome: Outcome) -> Outcome {
    match PANIC.lock().ok().and_then(|mut panic| panic.take()) {
        Some(panic) => Outcome { failure: Some(Failure::Panicked(panic)), ..outcome },
        None => outcome,
    }
}

fn compile(root: &Path, file: &str, flags: &[String]) -> Outcome {
    let options = match Options::from_flags(flags) {
        Ok(options) => options,
        Err(error) => return Outcome::failed(Failure::Rejected(error.to_string())),
    };
    let start = usage::cpu_ms();
    let compiled = quipu_cfront::compile(&[PathBuf::from(file)], &options);
    let compile_ms = usage::cpu_ms() - start;
    match compiled {
        Err(failure) => {
            let error = failure.errors.first().map(one_line).unwrap_or_default();
            Outcome { compile_ms, ..Outcome::failed(Failure::Rejected(error)) }
        }
        Ok(program) => Outcome { compile_ms, ..examine(root, &program) },
    }
}

fn one_line(error: &quipu_cfront::Diagnostic) -> String {
    match &error.place {
        Some(place) => format!(
            "{} ({}:{}:{}: {})",
            error.message,
            place.file,
            place.line,
            place.column,
            place.text.trim()
        ),
        None => error.message.clone(),
    }
}

fn examine(root: &Path, program: &Program) -> Outcome {
    let module = &program.module;
    let mut outcome = Outcome::default();
    count_functions(root, module, &mut outcome);
    let start = usage::cpu_ms();
    if let Err(errors) = quipu_ir::verify(module) {
        outcome.verify_errors = errors.iter().take(VERIFY_ERRORS).map(ToString::to_string).collect();
    }
    outcome.verify_ms = usage::cpu_ms() - start;
    outcome.peak_kib = usage::peak_kib();
    if module.functions.len() < ROUND_TRIP_FUNCTIONS {
        outcome.round_trip = round_trip(module);
    }
    outcome
}

fn count_functions(root: &Path, module: &Module, outcome: &mut Outcome) {
    for (_, function) in module.functions.entries() {
        let Some(span) = body_span(function) else { continue };
        let file = &module.files[span.file];
        if !is_of_library(root, file) {
            continue;
        }
        let supported = u64::from(function.code().is_some());
        let own = u64::from(!file.ends_with(".h"));
        outcome.functions += 1;
        outcome.supported += supported;
        outcome.own_functions += own;
        outcome.own_supported += own * supported;
        add_reasons(module, function, outcome);
    }
}

/// Where the body stands. The function's own span may be that of a declaration in front of it.
fn body_span(function: &Function) -> Option<Span> {
    match &function.body {
        Body::Declared => None,
        Body::Unsupported(reasons) => reasons.first().map(|reason| reason.span),
        Body::Defined(body) => Some(body.blocks[body.entry()].span),
    }
}

fn add_reasons(module: &Module, function: &Function, outcome: &mut Outcome) {
    let Body::Unsupported(reasons) = &function.body else { return };
    for (n, reason) in reasons.iter().enumerate() {
        let (what, place) = (reason.what.clone(), place(module, reason.span));
        let function = function.source_name.clone();
        outcome.unsupported.push(Unsupported { what, place, function, first: n == 0 });
    }
}

/// Whether a file belongs to a library and not to the system: sources are named relative to the crate.
fn is_of_library(root: &Path, file: &str) -> bool {
    let file = Path::new(file);
    file.is_relative() || file.starts_with(root)
}

fn place(module: &Module, span: Span) -> String {
    format!("{}:{}:{}", module.files[span.file], span.line, span.column)
}

fn round_trip(module: &Module) -> RoundTrip {
    match quipu_ir::parse(&quipu_ir::print(module)) {
        Ok(parsed) if parsed == *module => RoundTrip::Equal,
        Ok(parsed) => RoundTrip::Broken(difference(module, &parsed)),
        Err(error) => RoundTrip::Broken(format!("the printed module does not parse: {error}")),
    }
}

/// The first part in which two modules differ.
fn difference(left: &Module, right: &Module) -> String {
    let mut functions = left.functions.entries().zip(right.functions.entries());
    let mut globals = left.globals.entries().zip(right.globals.entries());
    if let Some(((_, function), _)) = functions.find(|((_, a), (_, b))| a != b) {
        format!("function {} differs", function.name)
    } else if let Some(((_, global), _)) = globals.find(|((_, a), (_, b))| a != b) {
        format!("global {} differs", global.name)
    } else {
        "files, types or the number of functions differ".to_string()
    }
}
