//! Reals, as far as a `double` holds them.

use super::{Facts, Term, Translator, Ty};
use crate::problem::{Checked, Problem};
use crate::source::Place;
use crate::tree::Binary;

/// Up to here a `double` holds all integers.
const EXACT: i128 = 1 << 53;

impl Translator<'_> {
    pub(super) fn real_constant(&mut self, text: &str, place: &Place) -> Term {
        if !is_exact(text) {
            self.made.rounded.push(place.clone());
        }
        Term { text: text.to_string(), ty: Ty::Real, facts: Facts::constant() }
    }

    /// A number as a `double`, which holds it.
    pub(super) fn as_real(&mut self, term: Term, place: &Place) -> Checked<Term> {
        if term.ty == Ty::Real {
            return Ok(term);
        }
        if term.is_float() {
            return Ok(Term { text: format!("((double)({}))", term.text), ty: Ty::Real, facts: term.facts });
        }
        let Some(integer) = term.to_integer().filter(|_| term.ty != Ty::Truth) else {
            return Err(Problem::wrong(place, format!("expected a number, found {}", term.describe())));
        };
        let (lo, hi) = integer.bounds();
        if lo < -EXACT || hi > EXACT {
            return Err(Problem::unsupported(place, "a 64-bit integer beside a float"));
        }
        Ok(Term { text: format!("((double)({}))", integer.text), ty: Ty::Real, facts: integer.facts })
    }

    pub(super) fn real_operation(&mut self, op: Binary, a: &Term, b: &Term, place: &Place) -> Checked<Term> {
        let sign = match op {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            _ => return Err(Problem::wrong(place, "this operation takes integers")),
        };
        self.made.rounded.push(place.clone());
        Ok(Term { text: format!("({} {sign} {})", a.text, b.text), ty: Ty::Real, facts: Facts::both(a, b) })
    }
}

/// Whether a `double` has the value that a constant writes.
fn is_exact(text: &str) -> bool {
    if text.starts_with("0x") {
        // At most 13 digits behind the point are one significand.
        return text.split('p').next().is_some_and(|digits| digits.len() <= "0x1.".len() + 13);
    }
    let Ok(value) = text.parse::<f64>() else { return false };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let Ok(exponent) = exponent.parse::<i64>() else { return false };
    let written = decimal(&format!("{whole}{fraction}"), exponent - fraction.len() as i64);
    // A double has at most 1074 digits behind the point.
    let exact = format!("{value:.1074}");
    let (whole, fraction) = exact.split_once('.').unwrap_or((&exact, ""));
    written == decimal(&format!("{whole}{fraction}"), -(fraction.len() as i64))
}

/// Digits without zeros around them, and the power of ten of the last one.
fn decimal(digits: &str, exponent: i64) -> (String, i64) {
    let digits = digits.trim_start_matches('0');
    let short = digits.trim_end_matches('0');
    match short.is_empty() {
        true => (String::new(), 0),
        false => (short.to_string(), exponent + (digits.len() - short.len()) as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::is_exact;

    #[test]
    fn constants_are_exact_or_not() {
        for exact in ["0.5", "1e3", "1.0", "0.0", "1e22", ".25", "2.", "0x1.8p3", "1234.0625"] {
            assert!(is_exact(exact), "{exact}");
        }
        for rounded in ["0.1", "1e23", "3.14", "1e-5", "9007199254740993.0"] {
            assert!(!is_exact(rounded), "{rounded}");
        }
    }
}
