//! Tests that read volatile objects, and memory at fixed addresses.
//!
//! A test file changes nothing while the program runs. So a test is written if the values that it needs are those that
//! ordinary memory gives, with some of them put there before the call; the interpreter tells by a run in which they are.

use std::collections::BTreeSet;

use quipu_cover::{FunctionReport, Test};
use quipu_inputs::{Request, Runner};
use quipu_interp::{InputKind, Limits, Machine};
use quipu_ir::{Init, Module, SourceType};

/// A test in which volatile objects are ordinary memory.
pub(crate) struct Steady {
    pub(crate) test: Test,
    /// Puts values where no input is.
    pub(crate) statements: Vec<String>,
}

/// The same test without anybody else who changes what it reads, or why there is none. None if it reads nothing volatile.
pub(crate) fn steady(
    module: &Module,
    report: &FunctionReport,
    test: &Test,
) -> Result<Option<Steady>, String> {
    let reads: Vec<&Request> = volatile(&test.observation.requests).collect();
    if reads.is_empty() {
        return Ok(None);
    }
    let mut runner = Runner::new(module, &report.interface, Limits::default());
    let mut inputs = test.inputs.clone();
    let (mut seen, mut settings) = (BTreeSet::new(), Vec::new());
    for &read in &reads {
        let place = read.held.map(|held| (held.address, held.bit));
        let wanted = read.held.and_then(|held| held.bits) != Some(read.bits);
        if !seen.insert((place, read.ty.width())) || !wanted {
            continue;
        }
        match runner.leaf_of(&inputs, read) {
            Some(leaf) => inputs.set(leaf, read.bits),
            None => settings.push(read.clone()),
        }
    }
    let observation = runner.run_as_memory(&inputs, &settings).filter(|observation| {
        let same = |(a, b): (&Request, &Request)| {
            (a.bits, a.held.map(|h| h.address)) == (b.bits, b.held.map(|h| h.address))
        };
        let again: Vec<&Request> = volatile(&observation.requests).collect();
        again.len() == reads.len()
            && again.into_iter().zip(reads.iter().copied()).all(same)
            && observation.outcome == test.observation.outcome
    });
    let observation = observation.ok_or("needs a volatile object that others change during the call")?;
    let statements = settings.iter().map(|setting| statement(runner.machine(), setting));
    let statements = statements.collect::<Result<Vec<_>, _>>()?;
    Ok(Some(Steady { test: Test { inputs, observation, ..test.clone() }, statements }))
}

fn volatile(requests: &[Request]) -> impl Iterator<Item = &Request> {
    requests.iter().filter(|request| request.kind == InputKind::Volatile)
}

/// Puts a value into a global object or a device.
fn statement(machine: &Machine<'_>, setting: &Request) -> Result<String, String> {
    let module = machine.module();
    let refused = || "reads a volatile object that no test can set".to_string();
    let held = setting.held.ok_or_else(refused)?;
    let size = setting.ty.width().map(|w| w.bits()).or(setting.ty.float_width().map(|w| w.bits()));
    let (bit, width, bits) = (held.bit.unwrap_or(0), size.unwrap_or(64), setting.bits);
    let home = module.globals.entries().find(|(global, data)| {
        let start = machine.global_address(*global);
        start <= held.address && held.address - start < data.size
    });
    let (global, data) = home.ok_or_else(refused)?;
    let place = match (&data.init, &data.source_name) {
        (Init::Device { .. }, _) => format!("(unsigned char *){:#x}ul", held.address),
        (_, Some(name)) if !data.block_scope && !data.constant => {
            match held.address - machine.global_address(global) {
                0 => format!("(unsigned char *)&{name}"),
                offset => format!("(unsigned char *)&{name} + {offset}"),
            }
        }
        _ => return Err(refused()),
    };
    Ok(format!("quipu_put({place}, {bit}, {width}, {bits:#x}ull);"))
}

/// What the tests with this text need in front of them.
pub(crate) fn definitions(module: &Module, tests: &str) -> String {
    let mut out = String::new();
    if tests.contains("quipu_put(") {
        out.push_str(PUT);
    }
    if module.devices().next().is_none() {
        return out;
    }
    for (global, address, _) in module.devices() {
        let data = &module.globals[global];
        if let (SourceType::Record { fields, .. }, Some(name)) = (&module.types[data.ty], &data.source_name)
            && tests.contains(name.as_str())
        {
            out.push_str(&named_block(module, name, address, fields));
        }
    }
    let blocks = module.devices().map(|(_, address, size)| format!("    {{{address:#x}ul, {size:#x}ul}},\n"));
    out.push_str(&MAP.replace("BLOCKS", &blocks.collect::<String>()));
    out
}

/// The call that makes the memory that the program expects at fixed addresses.
pub(crate) fn set_up(module: &Module) -> &'static str {
    if module.devices().next().is_some() { "    quipu_map_devices();\n" } else { "" }
}

/// A name for the ordinary memory in a block of addresses.
fn named_block(module: &Module, name: &str, address: u64, fields: &[quipu_ir::Field]) -> String {
    let mut members = String::new();
    let mut end = 0;
    for field in fields {
        if field.offset > end {
            members.push_str(&format!("    unsigned char pad_{end:x}[{}];\n", field.offset - end));
        }
        let name = field.name.as_deref().unwrap_or_default();
        let member = quipu_ctext::declare(&module.types, field.ty, name);
        members.push_str(&format!("    {};\n", member.unwrap_or_default()));
        end = field.offset + quipu_interp::layout(module, field.ty).map_or(1, |layout| layout.size);
    }
    format!(
        "\n/* What the program uses as ordinary memory at fixed addresses. */\nstruct quipu_{name} {{\n{members}}} \
         __attribute__((packed));\n#define {name} (*(struct quipu_{name} *){address:#x}ul)\n"
    )
}

const PUT: &str = "
/* Puts a value into a volatile object. */
static void quipu_put(unsigned char *at, unsigned bit, unsigned width, unsigned long long bits)
{
    for (; width--; bits >>= 1, bit++)
        at[bit / 8] = (unsigned char)((at[bit / 8] & ~(1u << bit % 8)) | (unsigned)(bits & 1) << bit % 8);
}
";

const MAP: &str = "
/* Makes memory at the addresses that the program names by numbers. */
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS 0x20
#endif
static void quipu_map_devices(void)
{
    static const unsigned long blocks[][2] = {
BLOCKS    };
    for (unsigned n = 0; n < sizeof blocks / sizeof blocks[0]; n++) {
        void *place = (void *)blocks[n][0];
        void *got = mmap(place, blocks[n][1], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert(got == place);
    }
}
";
