//! Constants: the shortest C expression that a person would write for a value.

use quipu_ir::{SourceType, SourceTypes, TypeId};
use quipu_num::Width;

use crate::declare::declare;

/// A constant expression for the value of a scalar type with these bits. It has that type, or the type that values of
/// it are promoted to. None for a type without values of its own, such as a struct.
pub fn literal(types: &SourceTypes, ty: TypeId, bits: u64) -> Option<String> {
    match &types[unnamed(types, ty)] {
        SourceType::Bool => Some(u64::from(bits != 0).to_string()),
        SourceType::Int { name, bits: width, signed } => integer(name, Width::new(*width)?, *signed, bits),
        SourceType::Enum { enumerators, bits: width, signed, .. } => {
            let width = Width::new(*width)?;
            let is_value = |enumerator: &i64| width.from_signed(*enumerator) == width.wrap(bits);
            if let Some((name, _)) = enumerators.iter().find(|(_, value)| is_value(value)) {
                return Some(name.clone());
            }
            let number = number(width, *signed, bits);
            Some(with_cast(types, ty, &number).unwrap_or(number))
        }
        SourceType::Float { bits: 32 } => Some(float32(bits as u32)),
        SourceType::Float { .. } => Some(float64(bits)),
        SourceType::Pointer { .. } if bits == 0 => Some("(void *)0".to_string()),
        SourceType::Pointer { .. } => with_cast(types, ty, &format!("{bits}UL")),
        SourceType::Void
        | SourceType::Array { .. }
        | SourceType::Record { .. }
        | SourceType::Function { .. }
        | SourceType::Typedef { .. }
        | SourceType::Unsupported(_) => None,
    }
}

/// The type behind all names.
fn unnamed(types: &SourceTypes, mut ty: TypeId) -> TypeId {
    while let SourceType::Typedef { of, .. } = types[ty] {
        ty = of;
    }
    ty
}

fn with_cast(types: &SourceTypes, ty: TypeId, number: &str) -> Option<String> {
    Some(format!("({}){number}", declare(types, ty, "")?))
}

/// The value of an integer type with this name.
fn integer(name: &str, width: Width, signed: bool, bits: u64) -> Option<String> {
    let suffix = match name {
        "char" => return Some(character(width, signed, bits)),
        "signed char" | "unsigned char" | "short" | "unsigned short" | "int" => "",
        "unsigned int" => "U",
        "long" => "L",
        "unsigned long" => "UL",
        "long long" => "LL",
        "unsigned long long" => "ULL",
        _ => return None,
    };
    Some(with_suffix(width, signed, bits, suffix))
}

fn with_suffix(width: Width, signed: bool, bits: u64, suffix: &str) -> String {
    // The smallest value of a type has no literal: what follows its minus sign is too large for the type.
    let is_smallest = signed && width >= Width::W32 && width.wrap(bits) == width.min_signed();
    match is_smallest {
        true => format!("(-{}{suffix} - 1)", width.max_signed()),
        false => format!("{}{suffix}", decimal(width, signed, bits)),
    }
}

fn decimal(width: Width, signed: bool, bits: u64) -> String {
    if signed { width.signed(bits).to_string() } else { width.wrap(bits).to_string() }
}

fn character(width: Width, signed: bool, bits: u64) -> String {
    match u8::try_from(width.wrap(bits)) {
        Ok(0) => r"'\0'".to_string(),
        Ok(b'\n') => r"'\n'".to_string(),
        Ok(b'\t') => r"'\t'".to_string(),
        Ok(b'\r') => r"'\r'".to_string(),
        Ok(quoted @ (b'\'' | b'\\')) => format!(r"'\{}'", char::from(quoted)),
        Ok(printable @ b' '..=b'~') => format!("'{}'", char::from(printable)),
        _ => decimal(width, signed, bits),
    }
}

/// A number for a cast, whatever its own type is.
fn number(width: Width, signed: bool, bits: u64) -> String {
    let value = if signed { width.signed(bits) } else { width.wrap(bits) as i64 };
    if !signed && value < 0 {
        return with_suffix(Width::W64, false, bits, "ULL");
    }
    match i32::try_from(value) {
        Ok(value) => value.to_string(),
        Err(_) => with_suffix(Width::W64, true, value as u64, "LL"),
    }
}

fn float32(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if !value.is_finite() {
        let payload = bits & 0x7f_ffff;
        return special(value.is_sign_negative(), u64::from(payload), 22, "f");
    }
    format!("{value:?}f")
}

fn float64(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if !value.is_finite() {
        return special(value.is_sign_negative(), bits & 0xf_ffff_ffff_ffff, 51, "");
    }
    format!("{value:?}")
}

/// An infinity, or a NaN by its payload. The bit `quiet_bit` of the significand tells a quiet NaN from a signalling
/// one.
fn special(is_negative: bool, significand: u64, quiet_bit: u32, suffix: &str) -> String {
    let sign = if is_negative { "-" } else { "" };
    let is_quiet = significand >> quiet_bit & 1 == 1;
    match significand & !(1 << quiet_bit) {
        0 if is_quiet => format!("{sign}__builtin_nan{suffix}(\"\")"),
        0 => format!("{sign}__builtin_inf{suffix}()"),
        payload if is_quiet => format!("{sign}__builtin_nan{suffix}(\"{payload:#x}\")"),
        payload => format!("{sign}__builtin_nans{suffix}(\"{payload:#x}\")"),
    }
}
