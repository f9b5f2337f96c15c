//! What the environment answered during a run.

use quipu_cfront::Program;
use quipu_inputs::{Answered, CHANGES, Request, answered};
use quipu_interp::{END_AHEAD, InputKind};
use quipu_ir::{Body, Func, Module, Ty, TypeId};
use serde_json::{Value, json};

use crate::returned::result_type;
use crate::value::{json_float, json_value, plain};

/// The names under which the C library keeps functions whose meaning changed with the standard.
const PREFIXES: [&str; 2] = ["__isoc99_", "__isoc23_"];

/// The largest number that `rand` tells.
const RAND_MAX: u64 = 0x7fff_ffff;

/// The name that a program calls a function by.
pub(crate) fn plain_name(name: &str) -> &str {
    PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

/// Who answered, for people: a function, or a part of what one does that nobody defines.
pub(crate) fn told_name(name: &str) -> String {
    match answered(name) {
        Some(Answered { function, part: "" }) => function.to_string(),
        Some(Answered { function, part }) => format!("{function}.{part}"),
        None => plain_name(name).to_string(),
    }
}

/// Whether an answer says that a function that nobody defines leaves something as it is, or that it does not: then the
/// new values are told.
fn goes_without_saying(request: &Request) -> bool {
    answered(&request.function)
        .is_some_and(|one| one.is_deed() && (request.bits == 0 || one.part.starts_with(CHANGES)))
}

/// The function without a body that has this name.
pub(crate) fn declared(module: &Module, name: &str) -> Option<Func> {
    let mut functions = module.functions.entries();
    functions
        .find(|(_, function)| function.source_name == name && function.body == Body::Declared)
        .map(|(func, _)| func)
}

/// The bits that the program got to see.
pub(crate) fn seen_bits(request: &Request) -> u64 {
    let is_random = matches!(plain_name(&request.function), "rand" | "random" | "rand_r");
    if request.kind == InputKind::Environment && is_random { request.bits & RAND_MAX } else { request.bits }
}

/// The answers that say something: that the input does not end yet, or that no more allocation fails, goes without
/// saying.
pub(crate) fn told(requests: &[Request]) -> impl Iterator<Item = &Request> {
    let is_refused = |request: &Request| request.kind == InputKind::Refusal && request.bits != 0;
    let last_refused = requests.iter().rposition(is_refused);
    requests.iter().enumerate().filter_map(move |(n, request)| {
        let is_told = match request.kind {
            InputKind::End => request.bits != 0,
            InputKind::Refusal => last_refused.is_some_and(|last| n <= last),
            _ => !goes_without_saying(request),
        };
        is_told.then_some(request)
    })
}

/// An answer, for people.
pub(crate) fn text(module: &Module, request: &Request) -> String {
    if let Some(ty) = result(module, request) {
        return plain(module, ty, request.bits);
    }
    let bits = seen_bits(request);
    match (request.ty, request.kind) {
        (_, InputKind::End) => ahead(request).to_string(),
        (_, InputKind::Refusal) => if bits == 0 { "a block" } else { "NULL" }.to_string(),
        (Ty::Int(width), InputKind::Byte) => match u8::try_from(width.signed(bits)) {
            Ok(byte) if byte.is_ascii() => format!("{:?}", char::from(byte)),
            Ok(byte) => byte.to_string(),
            Err(_) => "EOF".to_string(),
        },
        (Ty::Int(width), InputKind::Volatile) => volatile_text(module, request, width, bits),
        (Ty::Int(width), _) => width.signed(bits).to_string(),
        (Ty::Float(_), _) => format!("{:?}", float(request)),
        (Ty::Ptr, _) if bits == 0 => "NULL".to_string(),
        (Ty::Ptr, _) => format!("{bits:#x}"),
    }
}

/// Who asked, for people: a function, or what is read as volatile.
pub(crate) fn asker(program: &Program, request: &Request) -> String {
    match request.kind {
        InputKind::Volatile => balanced(&program.excerpt(request.span)),
        _ => told_name(&request.function),
    }
}

/// An answer, who asked for it, and where, as JSON.
pub(crate) fn json_request(program: &Program, request: &Request) -> Value {
    let (value, line) = (json_of(&program.module, request), request.span.line);
    match request.kind {
        InputKind::Volatile => json!({ "volatile": asker(program, request), "value": value, "line": line }),
        _ => json!({ "function": asker(program, request), "value": value, "line": line }),
    }
}

/// Answers in a row. Polling loops get the same one over and over.
pub(crate) fn listed(values: &[String]) -> String {
    let runs = values.chunk_by(|a, b| a == b).map(|run| match run.len() {
        n if n > MOST_EQUAL => format!("{} ({n} times)", run[0]),
        _ => run.join(", "),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// So many equal answers in a row are written one by one.
const MOST_EQUAL: usize = 4;

/// The text of an expression with the parentheses of which its place has one half only.
fn balanced(text: &str) -> String {
    let (mut open, mut missing) = (0usize, 0usize);
    for byte in text.bytes() {
        match byte {
            b'(' => open += 1,
            b')' if open == 0 => missing += 1,
            b')' => open -= 1,
            _ => {}
        }
    }
    format!("{}{text}{}", "(".repeat(missing), ")".repeat(open))
}

/// What a volatile object holds, for people: of a device its bits. Whether it is signed is not known elsewhere, so that
/// large numbers are shown so as well.
fn volatile_text(module: &Module, request: &Request, width: quipu_num::Width, bits: u64) -> String {
    let address = request.held.map_or(0, |held| held.address);
    let is_device = |(_, start, size): (quipu_ir::Global, u64, u64)| (start..start + size).contains(&address);
    if bits > 9 && module.devices().any(is_device) || width.bits() < 8 {
        return format!("{bits:#x}");
    }
    let number = width.signed(bits);
    if number.unsigned_abs() <= LARGEST_PLAIN { number.to_string() } else { format!("{bits:#x}") }
}

/// Larger numbers in volatile objects are shown by their bits.
const LARGEST_PLAIN: u64 = 999;

/// What comes where a number was wanted.
fn ahead(request: &Request) -> &'static str {
    if request.bits == END_AHEAD { "end of input" } else { "no number" }
}

/// An answer as JSON.
fn json_of(module: &Module, request: &Request) -> Value {
    if request.kind == InputKind::End {
        return json!(ahead(request));
    }
    if request.kind == InputKind::Refusal {
        return if request.bits == 0 { json!("block") } else { Value::Null };
    }
    match (result(module, request), request.ty) {
        (_, Ty::Ptr) if request.bits == 0 => Value::Null,
        (Some(ty), _) => json_value(module, ty, request.bits),
        (None, Ty::Int(width)) => json!(width.signed(seen_bits(request))),
        (None, Ty::Float(_)) => json_float(float(request)),
        (None, Ty::Ptr) => json!(request.bits),
    }
}

/// The value of a float of either width.
pub(crate) fn float(request: &Request) -> f64 {
    match request.ty {
        Ty::F32 => f64::from(f32::from_bits(request.bits as u32)),
        _ => f64::from_bits(request.bits),
    }
}

/// The type of an answer that is the result of an unknown function.
fn result(module: &Module, request: &Request) -> Option<TypeId> {
    let func = declared(module, &request.function)?;
    result_type(module, func).filter(|_| request.kind == InputKind::Result)
}
