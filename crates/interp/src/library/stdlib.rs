//! `stdlib.h`: the heap, integer arithmetic, random numbers.

use quipu_ir::{Event, Ty};
use quipu_num::{Guard, IntOp, Width, int_op};

use super::errno::{EINVAL, ENOMEM, set_errno};
use super::{Call, Table};
use crate::input::InputKind;
use crate::memory::{ObjectKind, Overlap, value_width};
use crate::outcome::{Fallible, event};

pub(super) const FUNCTIONS: Table = &[
    ("malloc", malloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("reallocarray", reallocarray),
    ("free", free),
    ("cfree", free),
    ("aligned_alloc", aligned_alloc),
    ("memalign", aligned_alloc),
    ("posix_memalign", posix_memalign),
    ("abs", absolute),
    ("labs", absolute),
    ("llabs", absolute),
    ("imaxabs", absolute),
    ("div", divide),
    ("ldiv", divide),
    ("lldiv", divide),
    ("imaxdiv", divide),
    ("getenv", |_| Ok(0)),
    ("secure_getenv", |_| Ok(0)),
    ("rand", random),
    ("random", random),
    ("rand_r", random),
    ("srand", |_| Ok(0)),
    ("srandom", |_| Ok(0)),
];

fn malloc(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let size = call.arg(0);
    new_block(call, Some(size), 16, false)
}

fn calloc(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let size = call.arg(0).checked_mul(call.arg(1));
    new_block(call, size, 16, true)
}

fn aligned_alloc(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (align, size) = (call.arg(0), call.arg(1));
    if !align.is_power_of_two() {
        return Ok(0);
    }
    new_block(call, Some(size), align, false)
}

fn posix_memalign(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (place, align, size) = (call.arg(0), call.arg(1), call.arg(2));
    if !align.is_power_of_two() || !align.is_multiple_of(call.module.data_model.pointer_size()) {
        return Ok(u64::from(EINVAL.cast_unsigned()));
    }
    let block = new_block(call, Some(size), align, false)?;
    if block == 0 {
        return Ok(u64::from(ENOMEM.cast_unsigned()));
    }
    call.memory().store_pointer(place, block)?;
    Ok(0)
}

/// A heap object; null for a size that no object can have, or if there is no memory.
fn new_block(call: &mut Call<'_, '_>, size: Option<u64>, align: u64, zeroed: bool) -> Fallible<u64> {
    let largest = value_width(call.module.data_model, Ty::Ptr).max_signed();
    let Some(size) = size.filter(|&size| size <= largest) else {
        set_errno(call, ENOMEM)?;
        return Ok(0);
    };
    if call.refuses()? {
        return Ok(0);
    }
    if zeroed {
        call.memory().allocate_zeroed(ObjectKind::Heap, size, align)
    } else {
        call.memory().allocate(ObjectKind::Heap, size, align)
    }
}

fn realloc(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let size = call.arg(1);
    resize(call, Some(size))
}

fn reallocarray(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let size = call.arg(1).checked_mul(call.arg(2));
    resize(call, size)
}

/// Always moves the object, so that a use of the old pointer is noticed. Size zero frees, as in glibc.
fn resize(call: &mut Call<'_, '_>, size: Option<u64>) -> Fallible<u64> {
    let old = call.arg(0);
    if old == 0 {
        return new_block(call, size, 16, false);
    }
    call.memory().require_block(old)?;
    if size == Some(0) {
        call.memory().free(old)?;
        return Ok(0);
    }
    let old_size = call.memory().object_at(old).map_or(0, |info| info.size);
    let block = new_block(call, size, 16, false)?;
    if block != 0 {
        let kept = old_size.min(size.unwrap_or(0));
        call.memory().copy(block, old, kept, Overlap::Exact)?;
        call.memory().free(old)?;
    }
    Ok(block)
}

fn free(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let addr = call.arg(0);
    call.memory().free(addr)?;
    Ok(0)
}

/// The absolute value in the width of the parameter. C17 7.22.6.1p2: undefined if not representable.
fn absolute(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (width, value) = (param_width(call, 0), call.arg(0));
    if width.signed(value) >= 0 {
        return Ok(value);
    }
    if !Guard::SubFits(width).holds((0, value)) {
        return event(Event::SignedOverflow, format!("absolute value of {}", width.signed(value)));
    }
    Ok(int_op(IntOp::Sub, width, 0, value))
}

/// `div` and its relatives: the quotient, then the remainder, in the struct behind the hidden parameter.
fn divide(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (place, a, b) = (call.arg(0), call.arg(1), call.arg(2));
    let width = param_width(call, 1);
    if !Guard::NonZero(width).holds((a, b)) {
        return event(Event::DivisionByZero, String::new());
    }
    if !Guard::QuotientFits(width).holds((a, b)) {
        return event(Event::DivisionOverflow, format!("dividend {}", width.signed(a)));
    }
    let size = u64::from(width.bits() / 8);
    let memory = call.memory();
    memory.store(place, Ty::Int(width), int_op(IntOp::SDiv, width, a, b), size)?;
    memory.store(place + size, Ty::Int(width), int_op(IntOp::SRem, width, a, b), size)?;
    Ok(0)
}

fn param_width(call: &Call<'_, '_>, n: usize) -> Width {
    call.function.params.get(n).and_then(|param| param.ty.width()).unwrap_or(Width::W32)
}

/// A number from 0 to `RAND_MAX`, which is 2^31 - 1 in glibc.
fn random(call: &mut Call<'_, '_>) -> Fallible<u64> {
    Ok(call.input(Ty::I32, InputKind::Environment)? & 0x7fff_ffff)
}
