//! `errno.h`.

use quipu_ir::Ty;

use super::{Call, Table};
use crate::outcome::Fallible;

pub(super) const FUNCTIONS: Table = &[("__errno_location", location), ("__error", location)];

pub(super) const ENOENT: i32 = 2;
pub(super) const ENOMEM: i32 = 12;
pub(super) const EINVAL: i32 = 22;
pub(super) const EDOM: i32 = 33;
pub(super) const ERANGE: i32 = 34;

fn location(call: &mut Call<'_, '_>) -> Fallible<u64> {
    call.library_object("errno", 4, 4)
}

pub(super) fn set_errno(call: &mut Call<'_, '_>, number: i32) -> Fallible<()> {
    let place = location(call)?;
    call.memory().store(place, Ty::I32, u64::from(number.cast_unsigned()), 4)
}
