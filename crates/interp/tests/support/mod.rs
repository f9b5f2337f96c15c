//! Helpers of the tests: modules from text, runs, and the real C compiler as an oracle.
#![allow(dead_code)]

use std::process::Command;

use quipu_interp::{Limits, Machine, NoObserver, ObjectKind, Outcome, ZeroInputs};
use quipu_ir::{Event, Module, parse};

/// Files and types that every test module starts with.
const HEADER: &str = r#"
file0 = "test.c"
t0 = void
t1 = int "int" signed 32
t2 = function () -> t0
t3 = int "char" signed 8
t4 = pointer t3
"#;

/// A module with 64-bit pointers.
pub fn module(text: &str) -> Module {
    module_of("lp64", text)
}

/// A module of a data model.
pub fn module_of(model: &str, text: &str) -> Module {
    let text = format!("module {model}\n{HEADER}\n{text}");
    let module = parse(&text).unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
    if let Err(errors) = quipu_ir::verify(&module) {
        panic!("{errors:?} in\n{text}");
    }
    module
}

/// Runs the function `f` of a module without arguments.
pub fn run_f(module: &Module) -> Outcome {
    run(module, "f", &[])
}

/// Runs a function of a module.
pub fn run(module: &Module, name: &str, args: &[u64]) -> Outcome {
    let mut machine = Machine::new(module, Limits::default());
    let func = module.function(name).expect("the function should exist");
    machine.run(func, args, &mut ZeroInputs, &mut NoObserver)
}

/// The event that an outcome reports.
pub fn event_of(outcome: &Outcome) -> Option<Event> {
    match outcome {
        Outcome::Event { event, .. } => Some(*event),
        _ => None,
    }
}

/// A declaration of a function without a body.
pub fn declare(name: &str, params: &str, ret: &str) -> String {
    let variadic = if params.contains("...") { "variadic " } else { "" };
    let params = params.replace("...", "ptr");
    let ret = if ret.is_empty() { String::new() } else { format!(" -> {ret}") };
    format!("func {variadic}@{name}({params}){ret} : t2\n")
}

/// A machine and the library functions that a test calls.
pub struct Library {
    pub module: &'static Module,
    pub machine: Machine<'static>,
}

impl Library {
    /// Declares functions, given as `name(params) -> ret`.
    pub fn new(declarations: &[(&str, &str, &str)]) -> Library {
        Library::of("lp64", declarations)
    }

    pub fn of(model: &str, declarations: &[(&str, &str, &str)]) -> Library {
        let text: String =
            declarations.iter().map(|(name, params, ret)| declare(name, params, ret)).collect();
        let module: &'static Module = Box::leak(Box::new(module_of(model, &text)));
        Library { module, machine: Machine::new(module, Limits::default()) }
    }

    /// Calls a function that must return a value.
    pub fn call(&mut self, name: &str, args: &[u64]) -> u64 {
        match self.outcome(name, args) {
            Outcome::Returned(Some(value)) => value,
            other => panic!("{name}{args:x?}: {other:?}"),
        }
    }

    pub fn outcome(&mut self, name: &str, args: &[u64]) -> Outcome {
        let func = self.module.function(name).expect("the function should be declared");
        self.machine.run(func, args, &mut ZeroInputs, &mut NoObserver)
    }

    pub fn event(&mut self, name: &str, args: &[u64]) -> Option<Event> {
        event_of(&self.outcome(name, args))
    }

    /// A new object that holds these bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> u64 {
        let memory = self.machine.memory_mut();
        let addr = memory.allocate(ObjectKind::Input, bytes.len() as u64, 8).unwrap();
        memory.write_bytes(addr, bytes).unwrap();
        addr
    }

    /// A new object that holds this string.
    pub fn string(&mut self, text: &str) -> u64 {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        self.bytes(&bytes)
    }

    /// A new object of unwritten bytes.
    pub fn space(&mut self, size: u64) -> u64 {
        self.machine.memory_mut().allocate(ObjectKind::Input, size, 8).unwrap()
    }

    pub fn read(&self, addr: u64) -> String {
        String::from_utf8(self.machine.memory().read_string(addr).unwrap()).unwrap()
    }
}

/// The output of a C program, compiled and run by the real compiler.
pub fn run_c(name: &str, source: &str) -> String {
    let dir = std::env::temp_dir().join(format!("quipu-interp-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (c, exe) = (dir.join("t.c"), dir.join("t"));
    std::fs::write(&c, source).unwrap();
    let status = Command::new("cc").arg("-w").arg("-o").arg(&exe).arg(&c).arg("-lm").status().unwrap();
    assert!(status.success(), "cc should compile\n{source}");
    let output = Command::new(&exe).output().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    String::from_utf8(output.stdout).unwrap()
}
