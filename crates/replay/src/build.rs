//! From source files to a program with probes.

use std::fs::{self, File};
use std::path::PathBuf;

use quipu_inputs::{Interface, Origin, TargetList};
use quipu_ir::{Func, Module, Symbol};
use rustc_hash::FxHashMap;

use crate::allocators::Renamed;
use crate::compiler::{Compiler, Running};
use crate::correspond::twins;
use crate::decode::Decoder;
use crate::edits::Edits;
use crate::instrument::{DECLARATIONS, instrument};
use crate::linkage::external_definitions;
use crate::overlay::overlay;
use crate::probes::Probes;
use crate::scratch::Scratch;
use crate::shared::Layout;
use crate::symbols::{Symbols, devices, function_home};
use crate::unit::{self, Unit};
use crate::variant::Variant;
use crate::volatile::{self, ask_for_reads};
use crate::{ReplayError, ReplaySetup, Replayer, SymbolKey, entries, flags, measured, stubs};

/// The file names in the scratch directory.
pub(crate) const PROGRAM: &str = "program";
pub(crate) const DIRECTORY: &str = "empty";
pub(crate) const MESSAGES: &str = "messages";
const MEMORY: &str = "memory";

const RUNTIME: &str = concat!(
    include_str!("runtime/core.c"),
    include_str!("runtime/environment.c"),
    include_str!("runtime/ends.c"),
    include_str!("runtime/allocation.c"),
    include_str!("runtime/sandbox.c"),
    include_str!("runtime/start.c"),
);

pub(crate) fn build<'m>(setup: &ReplaySetup<'m>, variant: Variant) -> Result<Replayer<'m>, ReplayError> {
    let scratch = Scratch::new()?;
    let compiler = Compiler::new(setup.options.compiler(), setup.alarm);
    let runtime = start_runtime(setup, variant, &compiler, &scratch)?;
    let units = units(setup, &compiler, &scratch)?;

    let mut unmeasured = Vec::new();
    let mut probes = Probes::default();
    let mut texts = with_probes(setup.module, &units, &mut probes, &mut unmeasured);
    let renamed = Renamed::of(setup.module, setup.interfaces);
    let (harness, refused, symbols) = harness(setup, &units, &renamed);
    for (n, (text, harness)) in texts.iter_mut().zip(harness).enumerate() {
        text.extend_from_slice(harness.as_bytes());
        *text = renamed.told_to(n, std::mem::take(text));
    }
    compile(setup, variant, &compiler, &scratch, &texts, runtime)?;

    fs::create_dir(scratch.file(DIRECTORY))?;
    let memory = File::options().read(true).write(true).create_new(true).open(scratch.file(MEMORY))?;
    let limits = setup.limits;
    Ok(Replayer {
        module: setup.module,
        interfaces: setup.interfaces,
        alarm: setup.alarm.clone(),
        memory,
        layout: Layout {
            capacity: limits.log,
            probes: probes.len() as u64,
            time: u64::try_from(limits.time.as_micros()).unwrap_or(u64::MAX),
            space: limits.memory,
        },
        variant,
        origins: units.into_iter().map(|unit| unit.origins).collect(),
        measured: measured(&probes),
        probes,
        decoder: Decoder::new(setup.module),
        symbols,
        refused,
        unmeasured,
        scratch,
    })
}

/// The name of the file with the text of a unit.
pub(crate) fn unit_name(number: usize) -> String {
    format!("unit{number}.i")
}

/// Starts to compile the runtime, which takes as long as everything that is done meanwhile.
fn start_runtime(
    setup: &ReplaySetup<'_>,
    variant: Variant,
    compiler: &Compiler,
    scratch: &Scratch,
) -> Result<Running, ReplayError> {
    let (source, object) = (scratch.file("runtime.c"), scratch.file("runtime.o"));
    fs::write(&source, RUNTIME)?;
    let mut args = flags::machine(setup.flags);
    args.extend(["-w", "-std=gnu11", "-fno-builtin"].map(str::to_string));
    args.extend(variant.runtime_flags());
    args.extend(["-c", "-o"].map(str::to_string));
    args.extend([object, source].map(|path| path.display().to_string()));
    compiler.start(&args)
}

fn units(setup: &ReplaySetup<'_>, compiler: &Compiler, scratch: &Scratch) -> Result<Vec<Unit>, ReplayError> {
    let start = |n: usize| unit::preprocess(compiler, setup.flags, &overlay(setup, scratch, n)?);
    let started = (0..setup.files.len()).map(start).collect::<Result<Vec<Running>, ReplayError>>()?;
    let outputs = started.into_iter().map(Running::output).collect::<Result<Vec<_>, _>>()?;
    let read = |(file, output): (&PathBuf, Vec<u8>)| unit::read(file, setup.flags, &output);
    Ok(setup.files.iter().zip(outputs).map(read).collect())
}

/// The texts of the units with probes in them.
fn with_probes(
    module: &Module,
    units: &[Unit],
    probes: &mut Probes,
    unmeasured: &mut Vec<(Func, String)>,
) -> Vec<Vec<u8>> {
    let (twins, missing) = twins(module, units);
    unmeasured.extend(missing);
    let mut edits: Vec<Edits> = units.iter().map(|_| Edits::default()).collect();
    for twin in &twins {
        let code = module.functions[twin.func].code().expect("a twin has code");
        match instrument(&units[twin.unit], twin, code, probes, &mut edits[twin.unit]) {
            Ok(left) => unmeasured.extend(left.into_iter().map(|what| (twin.func, what))),
            Err(reason) => unmeasured.push((twin.func, reason)),
        }
    }
    for (unit, edits) in units.iter().zip(&mut edits) {
        let Ok(own) = &unit.module else { continue };
        let func = module.functions.ids().next();
        let missing = ask_for_reads(own, unit, edits);
        let what = |line: u32| format!("a volatile read in line {line} of the preprocessed text");
        unmeasured.extend(missing.into_iter().filter_map(|line| Some((func?, what(line)))));
    }
    unmeasured.sort();
    let apply = |(edits, unit): (Edits, &Unit)| {
        let mut text = volatile::DECLARATIONS.as_bytes().to_vec();
        text.extend_from_slice(DECLARATIONS.as_bytes());
        text.extend(edits.apply(&unit.text.bytes));
        text
    };
    edits.into_iter().zip(units).map(apply).collect()
}

type Harness = (Vec<String>, Vec<Option<String>>, FxHashMap<SymbolKey, u64>);

/// What is appended to each unit: definitions of what is missing, the entries of the functions under test, tables.
fn harness(setup: &ReplaySetup<'_>, units: &[Unit], renamed: &Renamed) -> Harness {
    let module = setup.module;
    let mut texts = stubs::definitions(module, setup.interfaces, units);
    let mut symbols = Symbols::new(units.len());
    let mut numbers = FxHashMap::default();
    let mut refused = Vec::new();
    for (n, interface) in setup.interfaces.iter().enumerate() {
        for symbol in used_symbols(interface) {
            let number = symbols.number(module, units, symbol);
            numbers.insert(SymbolKey::from(symbol), number);
        }
        let home = function_home(module, units, interface.func);
        let entry = entries::entry(module, interface, n);
        texts[home].push_str(entry.as_deref().unwrap_or(&entries::no_entry(n)));
        refused.push(entry.err());
    }
    for (unit, text) in texts.iter_mut().enumerate() {
        text.push_str(&external_definitions(&units[unit]));
        text.push_str(&symbols.table(module, unit, renamed));
    }
    texts[0].push_str(&devices(module));
    texts[0].push_str(&symbols.list());
    texts[0].push_str(&entries::list(module, setup.interfaces));
    for text in &mut texts {
        text.insert(0, '\n');
    }
    (texts, refused, numbers)
}

/// The functions and objects of the program whose addresses a run may need.
fn used_symbols(interface: &Interface) -> Vec<Symbol> {
    let globals = interface.objects.iter().filter_map(|shape| match shape.origin {
        Origin::Global(global) => Some(Symbol::Global(global)),
        Origin::Provided => None,
    });
    let targets = interface.leaves.iter().filter_map(|leaf| leaf.targets.as_ref());
    globals.chain(targets.flat_map(TargetList::functions).map(Symbol::Func)).collect()
}

/// Compiles the units and links them with the runtime.
fn compile(
    setup: &ReplaySetup<'_>,
    variant: Variant,
    compiler: &Compiler,
    scratch: &Scratch,
    texts: &[Vec<u8>],
    runtime: Running,
) -> Result<(), ReplayError> {
    let mut args = flags::compiling(setup.flags);
    args.extend(variant.flags().iter().map(|flag| (*flag).to_string()));
    args.extend(["-w", "-o"].map(str::to_string));
    args.push(scratch.file(PROGRAM).display().to_string());
    for (n, text) in texts.iter().enumerate() {
        let file = scratch.file(&unit_name(n));
        fs::write(&file, text)?;
        args.push(file.display().to_string());
    }
    args.push(scratch.file("runtime.o").display().to_string());
    args.extend(flags::libraries(setup.flags));
    args.push("-lm".to_string());
    runtime.output()?;
    compiler.start(&args)?.output()?;
    Ok(())
}
