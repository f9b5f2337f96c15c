//! `stdlib.h`: numbers from strings.

use quipu_ir::Ty;
use quipu_num::Width;

use super::errno::{EINVAL, ERANGE, set_errno};
use super::number_text::{FloatText, IntegerText, float, integer};
use super::string::byte_at;
use super::{Call, Table};
use crate::memory::value_width;
use crate::outcome::Fallible;

pub(super) const FUNCTIONS: Table = &[
    ("atoi", ato),
    ("atol", ato),
    ("atoll", ato),
    ("strtol", |call| strto(call, true)),
    ("strtoll", |call| strto(call, true)),
    ("strtoimax", |call| strto(call, true)),
    ("strtoul", |call| strto(call, false)),
    ("strtoull", |call| strto(call, false)),
    ("strtoumax", |call| strto(call, false)),
    ("atof", |call| Ok(float_at(call, 0)?.double.to_bits())),
    ("strtod", strtod),
    ("strtold", strtod),
    ("strtof", strtof),
];

/// `atol` is `strtol` on `long`; the narrower `atoi` keeps the low bits, as glibc does.
fn ato(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let found = integer_at(call, 10)?;
    let long = value_width(call.module.data_model, call.module.data_model.address_ty());
    let width = call.function.ret.and_then(Ty::width).unwrap_or(Width::W32).max(long);
    Ok(signed_value(found, width).0)
}

fn strto(call: &mut Call<'_, '_>, signed: bool) -> Fallible<u64> {
    let base = call.int(2).cast_unsigned();
    if base == 1 || base > 36 {
        // As in glibc, which then reads and stores nothing.
        set_errno(call, EINVAL)?;
        return Ok(0);
    }
    let found = integer_at(call, base)?;
    store_end(call, found.length)?;
    let width = call.function.ret.and_then(Ty::width).unwrap_or(Width::W64);
    let (value, in_range) = if signed { signed_value(found, width) } else { unsigned_value(found, width) };
    if !in_range {
        set_errno(call, ERANGE)?;
    }
    Ok(value)
}

/// The value clamped to a signed width, and whether it was in range.
pub(super) fn signed_value(found: IntegerText, width: Width) -> (u64, bool) {
    let limit = if found.negative { width.min_signed() } else { width.max_signed() };
    let in_range = found.magnitude.is_some_and(|magnitude| magnitude <= limit);
    let magnitude = if in_range { found.magnitude.unwrap_or(limit) } else { limit };
    (width.wrap(if found.negative { magnitude.wrapping_neg() } else { magnitude }), in_range)
}

/// The value modulo an unsigned width (a minus sign negates), or the largest if out of range.
pub(super) fn unsigned_value(found: IntegerText, width: Width) -> (u64, bool) {
    match found.magnitude.filter(|&magnitude| magnitude <= width.mask()) {
        Some(magnitude) if found.negative => (width.wrap(magnitude.wrapping_neg()), true),
        Some(magnitude) => (magnitude, true),
        None => (width.mask(), false),
    }
}

fn strtod(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let found = float_at(call, 0)?;
    store_end(call, found.length)?;
    let value = found.double;
    if out_of_range(&found, value.is_infinite(), value == 0.0 || value.is_subnormal()) {
        set_errno(call, ERANGE)?;
    }
    Ok(value.to_bits())
}

fn strtof(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let found = float_at(call, 0)?;
    store_end(call, found.length)?;
    let value = found.single;
    if out_of_range(&found, value.is_infinite(), value == 0.0 || value.is_subnormal()) {
        set_errno(call, ERANGE)?;
    }
    Ok(u64::from(value.to_bits()))
}

/// Overflow of a finite number, or underflow of one that is not zero.
fn out_of_range(found: &FloatText, infinite: bool, tiny: bool) -> bool {
    found.nonzero && !found.special && (tiny || infinite)
}

fn integer_at(call: &mut Call<'_, '_>, base: u32) -> Fallible<IntegerText> {
    let (addr, memory) = (call.arg(0), &*call.world.memory);
    integer(&mut |n| byte_at(memory, addr + n), base, u64::MAX)
}

fn float_at(call: &mut Call<'_, '_>, n: usize) -> Fallible<FloatText> {
    let (addr, memory) = (call.arg(n), &*call.world.memory);
    float(&mut |n| byte_at(memory, addr + n), u64::MAX)
}

fn store_end(call: &mut Call<'_, '_>, length: u64) -> Fallible<()> {
    let (start, place) = (call.arg(0), call.arg(1));
    if place != 0 {
        call.memory().store_pointer(place, start + length)?;
    }
    Ok(())
}
