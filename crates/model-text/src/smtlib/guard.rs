//! When an operation of C is defined, as a formula.

use quipu_num::{Guard, Width};

use super::number;

pub(super) fn formula(guard: Guard, a: &str, b: &str) -> String {
    let zero = |w: Width| number(w.bits(), 0);
    match guard {
        Guard::AddFits(_) => same_when_wider("bvadd", 1, a, b),
        Guard::SubFits(_) => same_when_wider("bvsub", 1, a, b),
        Guard::MulFits(w) => same_when_wider("bvmul", w.bits(), a, b),
        Guard::NonZero(w) | Guard::AnyBit(w) => format!("(not (= {b} {}))", zero(w)),
        Guard::QuotientFits(w) => {
            let (least, ones) = (number(w.bits(), w.min_signed()), number(w.bits(), w.mask()));
            format!("(not (and (= {a} {least}) (= {b} {ones})))")
        }
        Guard::ShiftInRange { amount, shifted } => below(amount, b, shifted.bits()),
        Guard::ShlFits(w) => {
            let back = format!("(= (bvashr (bvshl {a} {b}) {b}) {a})");
            format!("(and {} (bvsle {} {a}) {back})", below(w, b, w.bits()), zero(w))
        }
        Guard::IndexBelow(_) => format!("(bvult {a} {b})"),
        Guard::IndexAtMost(_) => format!("(bvule {a} {b})"),
        Guard::FloatFits { from, to, signed } => super::float::fits(from, to, signed, a),
    }
}

/// Whether an operation gives the same with `more` bits.
fn same_when_wider(op: &str, more: u32, a: &str, b: &str) -> String {
    let wide = |text: &str| format!("((_ sign_extend {more}) {text})");
    format!("(= {} ({op} {} {}))", wide(&format!("({op} {a} {b})")), wide(a), wide(b))
}

/// Whether a bit-vector is less than a number, which may have more bits than it.
fn below(width: Width, text: &str, limit: u32) -> String {
    if u64::from(limit) > width.mask() {
        return "true".to_owned();
    }
    format!("(bvult {text} {})", number(width.bits(), limit.into()))
}
