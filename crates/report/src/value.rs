//! Scalar values: as C constants, and as JSON.

use quipu_ctext::literal;
use quipu_interp::{resolve, scalar};
use quipu_ir::{Module, SourceType, Ty, TypeId};
use quipu_num::Width;
use serde_json::{Value, json};

/// The bits of a bit-field as bits of its declared type.
pub(crate) fn widened(module: &Module, ty: TypeId, bits: u64, field: Option<(u32, u32)>) -> u64 {
    match field.and_then(|(_, width)| Width::new(width)) {
        Some(width) if is_signed(module, ty) => width.signed(bits).cast_unsigned(),
        _ => bits,
    }
}

/// The value of a scalar as a C constant. `bits` are those of the declared type.
pub(crate) fn constant(module: &Module, ty: TypeId, bits: u64) -> String {
    literal(&module.types, ty, bits).unwrap_or_else(|| bits.to_string())
}

/// The value of a scalar as people write it: without suffixes, and the smallest integers by their digits.
pub(crate) fn plain(module: &Module, ty: TypeId, bits: u64) -> String {
    let has_own_text =
        is_char(module, ty) || matches!(module.types[resolve(module, ty)], SourceType::Enum { .. });
    match scalar(module, ty) {
        Some(Ty::Int(width)) if !has_own_text && is_signed(module, ty) => width.signed(bits).to_string(),
        Some(Ty::Int(width)) if !has_own_text => width.wrap(bits).to_string(),
        Some(Ty::F32) => format!("{:?}", f32::from_bits(bits as u32)),
        Some(Ty::Float(_)) => format!("{:?}", f64::from_bits(bits)),
        _ => constant(module, ty, bits),
    }
}

/// The value of a scalar as JSON: integers in full, floats that JSON cannot write by name.
pub(crate) fn json_value(module: &Module, ty: TypeId, bits: u64) -> Value {
    match scalar(module, ty) {
        Some(Ty::Float(_)) => json_float(double(module, ty, bits)),
        Some(Ty::Int(width)) if is_signed(module, ty) => json!(width.signed(bits)),
        Some(Ty::Int(width)) => json!(width.wrap(bits)),
        _ => json!(bits),
    }
}

/// A float as JSON.
pub(crate) fn json_float(value: f64) -> Value {
    if value.is_nan() {
        json!("NaN")
    } else if value.is_infinite() {
        json!(if value > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        json!(value)
    }
}

/// The value of a float of either width.
pub(crate) fn double(module: &Module, ty: TypeId, bits: u64) -> f64 {
    match scalar(module, ty) {
        Some(Ty::F32) => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// Whether the value is a float that is not equal to itself.
pub(crate) fn is_nan(module: &Module, ty: TypeId, bits: u64) -> bool {
    matches!(scalar(module, ty), Some(Ty::Float(_))) && double(module, ty, bits).is_nan()
}

/// What a pointer type points to.
pub(crate) fn pointed(module: &Module, ty: TypeId) -> Option<TypeId> {
    match module.types[resolve(module, ty)] {
        SourceType::Pointer { to } => Some(to),
        _ => None,
    }
}

/// Whether values of a type are addresses of functions.
pub(crate) fn is_function_pointer(module: &Module, ty: TypeId) -> bool {
    pointed(module, ty).is_some_and(|to| is_function(module, to))
}

/// Whether a type is `char` itself, of which strings are made.
pub(crate) fn is_char(module: &Module, ty: TypeId) -> bool {
    matches!(&module.types[resolve(module, ty)], SourceType::Int { name, .. } if name == "char")
}

/// Bytes as a C string literal.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from('"');
    for (n, &byte) in bytes.iter().enumerate() {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            // Two question marks may start a trigraph.
            b'?' if n > 0 && bytes[n - 1] == b'?' => text.push_str("\\?"),
            b' '..=b'~' => text.push(char::from(byte)),
            // Three octal digits: a digit that follows is not taken for a part of the escape.
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text + "\""
}

fn is_function(module: &Module, ty: TypeId) -> bool {
    matches!(module.types[resolve(module, ty)], SourceType::Function { .. })
}

fn is_signed(module: &Module, ty: TypeId) -> bool {
    matches!(
        module.types[resolve(module, ty)],
        SourceType::Int { signed: true, .. } | SourceType::Enum { signed: true, .. }
    )
}
