//! From files and flags to a program, with messages for people when that fails.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use quipu_cfront::{Failure, Options, Program};
use quipu_ir::{Body, Func, FuncBody, Function};

use crate::args::Source;
use crate::exit::Exit;
use crate::talk;

/// The program, or the exit code after the reasons were printed.
pub fn load(source: &Source) -> Result<Program, Exit> {
    load_with(source, |_| {})
}

/// The program with all local variables in memory.
pub fn load_with_variables(source: &Source) -> Result<Program, Exit> {
    load_with(source, Options::keep_variables)
}

fn load_with(source: &Source, adjust: fn(&mut Options)) -> Result<Program, Exit> {
    let mut options =
        Options::from_flags(&source.flags).map_err(|error| complain(&format!("error: {error}")))?;
    adjust(&mut options);
    match quipu_cfront::compile(&source.files, &options) {
        Ok(program) => {
            warn_about_floats(&program, &options);
            Ok(program)
        }
        Err(failure) => {
            talk::tell(&failure.to_string());
            if is_about_source(&failure) && compiler_accepts(source, options.compiler()) {
                eprintln!("note: your C compiler accepts this program; Quipu's front end should, too");
            }
            Err(Exit::BadInput)
        }
    }
}

/// Says under which flags floats may have other values in the compiled program.
fn warn_about_floats(program: &Program, options: &Options) {
    let has_floats = |function: &Function| function.code().is_some_and(FuncBody::has_floats);
    if !program.module.functions.iter().any(has_floats) {
        return;
    }
    for flag in options.float_departures() {
        eprintln!(
            "warning: `{flag}` lets the compiler compute floats otherwise than IEEE 754 says\n  \
             = hint: nothing is proved about functions that use floats; tests are confirmed on the compiled program"
        );
    }
}

/// Prints a message and yields the exit code for bad input.
pub fn complain(message: &str) -> Exit {
    talk::tell(message);
    Exit::BadInput
}

fn is_about_source(failure: &Failure) -> bool {
    failure.errors.iter().any(|error| error.place.is_some()) && !failure.is_about_linking()
}

/// Asked only when our own front end refuses: tells a mistake of the user from a gap of ours.
fn compiler_accepts(source: &Source, compiler: &str) -> bool {
    let mut words = compiler.split_whitespace();
    let Some(program) = words.next() else { return false };
    let mut command = Command::new(program);
    command.args(words).arg("-fsyntax-only").arg("-w").args(&source.flags).args(&source.files);
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The function with a name, or a message that lists what there is.
pub fn find_function(program: &Program, name: &str) -> Result<Func, Exit> {
    if let Some(func) = program.module.function(name) {
        return Ok(func);
    }
    let module = &program.module;
    let mut known: Vec<&str> =
        module.functions.iter().filter(|f| f.code().is_some()).map(|f| f.name.as_str()).collect();
    known.retain(|name| !name.starts_with("quipu_"));
    known.sort_by_key(|candidate| quipu_base::distance(candidate, name));
    known.truncate(8);
    let hint = match known.is_empty() {
        true => "the program defines no function".to_string(),
        false => format!("the program defines {}", known.join(", ")),
    };
    Err(complain(&format!("error: there is no function `{name}`\n  = hint: {hint}")))
}

/// The functions that stand in the files of the user, in the order of the source.
pub fn own_functions(program: &Program, files: &[PathBuf]) -> Vec<Func> {
    let module = &program.module;
    let own = |file: &str| files.iter().any(|path| path.to_string_lossy() == *file);
    let functions = module.functions.entries();
    let mut found: Vec<Func> = functions
        .filter(|(_, function)| own(&module.files[function.span.file]))
        .map(|(func, _)| func)
        .collect();
    found.sort_by_key(|&func| module.functions[func].span);
    found
}

/// The functions of the files, and of C files that they include; headers are not meant.
pub fn included_functions(program: &Program, files: &[PathBuf]) -> Vec<Func> {
    let module = &program.module;
    let mut found = own_functions(program, files);
    let is_source = |file: &str| Path::new(file).extension().is_some_and(|extension| extension == "c");
    let functions = module.functions.entries();
    let others = functions.filter(|(_, function)| is_source(&module.files[function.span.file]));
    found.extend(others.map(|(func, _)| func));
    // Stubs stand where the pointer stands to which they belong.
    found.sort_by_key(|&func| (module.functions[func].span, func));
    found.dedup();
    found
}

/// Says which functions are left out, and why.
pub fn report_unsupported(program: &Program, funcs: &[Func]) {
    for &func in funcs {
        let function = &program.module.functions[func];
        let Body::Unsupported(reasons) = &function.body else { continue };
        for reason in reasons {
            let place = program.place(reason.span);
            talk::tell(&format!("{place}: warning: `{}` is not supported: {}", function.name, reason.what));
            if let Some(snippet) = crate::render::snippet(program, reason.span) {
                eprintln!("{snippet}");
            }
        }
    }
}
