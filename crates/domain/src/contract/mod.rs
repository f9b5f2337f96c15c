//! Contractors, one file per family.
//!
//! Each is a pure function from domains to domains; `None` or `false` says that there is surely no solution.

mod add;
mod bitwise;
mod cases;
mod cast;
mod compare;
mod divide;
mod element;
mod float;
mod guard;
mod linear;
mod logic;
mod math;
mod multiply;
mod product;
mod shift;
mod sum;
mod unary;

pub use bitwise::complement;
pub use cast::cast;
pub use compare::compare;
pub use element::element;
pub use float::float;
pub use guard::guard;
pub use logic::{all, any, select};
pub use multiply::square;
pub use sum::sum;
pub use unary::unary;

use crate::domain::Domain;
use quipu_num::{IntOp, Width, int_op};

/// Contracts `z = op(x, y)`; the three domains have the width `w`.
#[inline]
pub fn binary(op: IntOp, w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    if let (Some(a), Some(b)) = (x.is_singleton(), y.is_singleton()) {
        let value = int_op(op, w, a, b);
        return z.contains(w, value).then(|| [x, y, Domain::singleton(w, value)]);
    }
    match op {
        IntOp::Add => add::add(w, x, y, z),
        IntOp::Sub => add::add(w, z, y, x).map(|[z, y, x]| [x, y, z]),
        IntOp::Mul => multiply::multiply(w, x, y, z),
        IntOp::UDiv => divide::unsigned_quotient(w, x, y, z),
        IntOp::SDiv => divide::signed_quotient(w, x, y, z),
        IntOp::URem => divide::unsigned_remainder(w, x, y, z),
        IntOp::SRem => divide::signed_remainder(w, x, y, z),
        IntOp::And => bitwise::and(w, x, y, z),
        IntOp::Or => bitwise::or(w, x, y, z),
        IntOp::Xor => bitwise::xor(w, x, y, z),
        IntOp::Shl | IntOp::LShr | IntOp::AShr => shift::shift(op, w, x, y, z),
    }
}
