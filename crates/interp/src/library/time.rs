//! `time.h` and its neighbours: clocks are inputs.

use quipu_num::{Cast, FloatOp, FloatWidth, Width, cast, float_op};

use super::{Call, Table};
use crate::input::InputKind;
use crate::outcome::Fallible;

pub(super) const FUNCTIONS: Table = &[
    ("time", time),
    ("clock", clock),
    ("difftime", difftime),
    ("gettimeofday", |call| two_longs(call, 0)),
    ("clock_gettime", |call| two_longs(call, 1)),
    ("timespec_get", |call| two_longs(call, 0).map(|_| call.arg(1))),
    ("sleep", |_| Ok(0)),
    ("usleep", |_| Ok(0)),
    ("nanosleep", |_| Ok(0)),
];

fn time(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let ty = call.module.data_model.address_ty();
    let now = call.input(ty, InputKind::Environment)?;
    let (place, size) = (call.arg(0), call.module.data_model.size_of(ty));
    if place != 0 {
        call.memory().store(place, ty, now, size)?;
    }
    Ok(now)
}

fn clock(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let ty = call.module.data_model.address_ty();
    call.input(ty, InputKind::Environment)
}

fn difftime(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let to_double = Cast::SignedToFloat(Width::W64, FloatWidth::F64);
    let [a, b] = [0, 1].map(|n| cast(to_double, call.signed(n).cast_unsigned()));
    Ok(float_op(FloatOp::Sub, FloatWidth::F64, a, b))
}

/// Seconds and a fraction, both `long`, in the struct behind argument `n`.
fn two_longs(call: &mut Call<'_, '_>, n: usize) -> Fallible<u64> {
    let ty = call.module.data_model.address_ty();
    let size = call.module.data_model.size_of(ty);
    let place = call.arg(n);
    for field in 0..2 {
        let value = call.input(ty, InputKind::Environment)?;
        call.memory().store(place + field * size, ty, value, size)?;
    }
    Ok(0)
}
