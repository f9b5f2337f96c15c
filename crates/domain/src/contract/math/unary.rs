//! Where functions of one operand rise and fall, and where they are not defined.

use super::cases::Cases;
use super::line::INFINITY;
use super::monotone::Direction::{self, Falls, Rises};
use super::periodic;
use quipu_num::MathFn;

type Span = (f64, f64);

const POSITIVE: Span = (0.0, INFINITY);
const NEGATIVE: Span = (-INFINITY, -0.0);
const ALL: Span = (-INFINITY, INFINITY);

/// Lists the cases of a function. A span that ends at a zero ends at the zero of this sign.
pub(super) fn list(cases: &mut Cases<2>) {
    let line = cases.line;
    cases.any([line.nans(), line.nan()]);
    match cases.function {
        MathFn::Sin | MathFn::Cos | MathFn::Tan => periodic::list(cases),
        MathFn::Atan | MathFn::Sinh | MathFn::Asinh | MathFn::Cbrt => odd(cases, INFINITY, INFINITY),
        MathFn::Tanh | MathFn::Erf => odd(cases, INFINITY, 1.0),
        MathFn::Asin | MathFn::Atanh => {
            undefined_below(cases, -1.0);
            undefined_above(cases, 1.0);
            odd(cases, 1.0, INFINITY);
        }
        MathFn::Acos => {
            undefined_below(cases, -1.0);
            undefined_above(cases, 1.0);
            piece(cases, Falls, (-1.0, 1.0), POSITIVE);
        }
        MathFn::Cosh => even(cases, (1.0, INFINITY)),
        MathFn::Logb => even(cases, ALL),
        MathFn::Acosh => {
            undefined_below(cases, 1.0);
            piece(cases, Rises, (1.0, INFINITY), POSITIVE);
        }
        MathFn::Exp | MathFn::Exp2 | MathFn::Exp10 => piece(cases, Rises, ALL, POSITIVE),
        MathFn::Expm1 => {
            piece(cases, Rises, NEGATIVE, (-1.0, -0.0));
            piece(cases, Rises, POSITIVE, POSITIVE);
        }
        MathFn::Log | MathFn::Log2 | MathFn::Log10 => {
            undefined_below(cases, -0.0);
            piece(cases, Rises, (-0.0, 1.0), (-INFINITY, 0.0));
            piece(cases, Rises, (1.0, INFINITY), POSITIVE);
        }
        MathFn::Log1p => {
            undefined_below(cases, -1.0);
            piece(cases, Rises, (-1.0, -0.0), NEGATIVE);
            piece(cases, Rises, POSITIVE, POSITIVE);
        }
        MathFn::Erfc => piece(cases, Falls, ALL, (0.0, 2.0)),
        MathFn::Lgamma => gamma(cases, (-1.0, 0.0)),
        MathFn::Tgamma => gamma(cases, (0.5, 2.0)),
        MathFn::Pow
        | MathFn::Hypot
        | MathFn::Atan2
        | MathFn::Remainder
        | MathFn::Fdim
        | MathFn::Nextafter => {
            panic!("a function of two operands should be listed as such")
        }
    }
}

fn piece(cases: &mut Cases<2>, direction: Direction, x: Span, z: Span) {
    let line = cases.line;
    cases.monotone([line.arc(x), line.arc(z)], &[direction]);
}

/// Rises through zero, where the sign of the operand is that of the result.
fn odd(cases: &mut Cases<2>, end: f64, greatest: f64) {
    piece(cases, Rises, (-end, -0.0), (-greatest, -0.0));
    piece(cases, Rises, (0.0, end), (0.0, greatest));
}

/// Falls to zero and rises from there.
fn even(cases: &mut Cases<2>, z: Span) {
    piece(cases, Falls, NEGATIVE, z);
    piece(cases, Rises, POSITIVE, z);
}

/// `lgamma` and `tgamma` fall up to 1, are small up to 2 and rise from there. Of negative operands nothing is said.
fn gamma(cases: &mut Cases<2>, between: Span) {
    let line = cases.line;
    cases.any([line.arc(NEGATIVE), line.full()]);
    piece(cases, Falls, (0.0, 1.0), POSITIVE);
    cases.any([line.arc((1.0, 2.0)), line.arc(between)]);
    piece(cases, Rises, (2.0, INFINITY), POSITIVE);
}

fn undefined_below(cases: &mut Cases<2>, x: f64) {
    cases.any([cases.line.below(x), cases.line.nan()]);
}

fn undefined_above(cases: &mut Cases<2>, x: f64) {
    cases.any([cases.line.above(x), cases.line.nan()]);
}
