//! The typed C tree to IR.
//!
//! One file per concern: [`unit`] names and interfaces, [`global`] static initial values, [`function`] bodies,
//! [`stmt`] statements, [`switch`] and [`scope`] their jumps, [`cond`] decisions and conditions, [`expr`]
//! values, [`place`] lvalues, [`arith`] operators with their checks, [`convert`] conversions, [`call`] calls,
//! [`assign`] writes, [`init`] local initial values ([`unspecified`] where they say nothing), [`builtin`] compiler builtins ([`atomic`], [`classify`],
//! [`overflow`] and [`exact`]), [`builder`] the instructions themselves.

mod arith;
mod assign;
mod atomic;
mod builder;
mod builtin;
mod call;
mod classify;
mod cond;
mod convert;
mod exact;
mod expr;
mod function;
mod global;
mod init;
mod overflow;
mod place;
mod scope;
mod stmt;
mod switch;
mod unit;
mod unspecified;
mod volatile_copy;

use quipu_ir::Unsupported;

use crate::diagnostic::Failure;
use crate::link::Linker;
use crate::unit::Unit;

/// The result of lowering a part of a function: it works, or the function is not supported.
type Lowered<T> = Result<T, Unsupported>;

/// Lowers all functions and objects of a unit into the module under construction.
pub(crate) fn lower_unit(unit: &Unit, linker: &mut Linker) -> Result<(), Failure> {
    unit::UnitLower::new(unit, linker).lower()
}
