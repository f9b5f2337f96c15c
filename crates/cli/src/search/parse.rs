//! Options of the form `name=value`, and the values in them.

use quipu_inputs::{Allowed, Number, SHAPE_FORMS, Shape};
use quipu_interp::parse_float;

use super::demand::{Demand, Origin};

/// `n=1..9`, or `f:n=1..9` for one function.
pub fn range(text: &str) -> Result<Demand<Allowed>, String> {
    let wrong = || format!("error: `--range {text}` is not of the form NAME=LOW..HIGH, such as 'n=1..9'");
    let (function, name, value) = split(text).ok_or_else(wrong)?;
    let what = bounds(value).map_err(|why| match why {
        BadBounds::Form => wrong(),
        BadBounds::Empty(low, high) => {
            format!("error: the range of `{name}` is empty: {low} is greater than {high}")
        }
        BadBounds::Nan => {
            format!("error: a NaN is no bound of the range of `{name}`\n  = hint: --fix '{name}=nan'")
        }
    })?;
    Ok(Demand { function, name, what, origin: Origin::Option(format!("--range '{text}'")) })
}

/// `mode=3`.
pub fn fixed(text: &str) -> Result<Demand<Allowed>, String> {
    let wrong = || format!("error: `--fix {text}` is not of the form NAME=VALUE, such as 'mode=3'");
    let (function, name, value) = split(text).ok_or_else(wrong)?;
    let value = number(value).ok_or_else(wrong)?;
    let what = Allowed::Only(value);
    Ok(Demand { function, name, what, origin: Origin::Option(format!("--fix '{text}'")) })
}

/// `buffer=array(16)`.
pub fn shape(text: &str) -> Result<Demand<Shape>, String> {
    let hint = format!("\n  = hint: a shape is {SHAPE_FORMS}");
    let (function, name, shape) = split(text).ok_or_else(|| {
        format!("error: `--shape {text}` is not of the form NAME=SHAPE, such as 'buffer=array(16)'{hint}")
    })?;
    let what = Shape::parse(shape).map_err(|why| format!("error: `--shape {text}`: {why}{hint}"))?;
    Ok(Demand { function, name, what, origin: Origin::Option(format!("--shape '{text}'")) })
}

/// The function, the name and the value in `function:name=value`. No input has a colon in its name.
fn split(text: &str) -> Option<(Option<String>, String, &str)> {
    let (name, value) = text.split_once('=')?;
    let (function, name) = match name.split_once(':') {
        Some((function, name)) => (Some(function.trim().to_string()), name),
        None => (None, name),
    };
    let named = !name.trim().is_empty() && function.as_ref().is_none_or(|function| !function.is_empty());
    named.then(|| (function, name.trim().to_string(), value))
}

/// What is wrong with a range.
#[derive(PartialEq, Debug)]
pub enum BadBounds {
    Form,
    Empty(Number, Number),
    Nan,
}

/// `1..9`, or `0.5..inf`.
pub fn bounds(text: &str) -> Result<Allowed, BadBounds> {
    let (low, high) = text.split_once("..").ok_or(BadBounds::Form)?;
    match (number(low).ok_or(BadBounds::Form)?, number(high).ok_or(BadBounds::Form)?) {
        (low, high) if low.is_nan() || high.is_nan() => Err(BadBounds::Nan),
        (low, high) if low.is_above(high) => Err(BadBounds::Empty(low, high)),
        (low, high) => Ok(Allowed::Between(low, high)),
    }
}

/// A number, or a character.
pub fn number(text: &str) -> Option<Number> {
    let text = text.trim();
    integer(text).map(Number::Int).or_else(|| float(text).map(Number::Float))
}

/// A decimal or hexadecimal integer, or a character.
fn integer(text: &str) -> Option<i128> {
    let (digits, negative) = text.strip_prefix('-').map_or((text, false), |rest| (rest, true));
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let mut letters =
        digits.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or("").chars();
    let size = match (hexadecimal, letters.next(), letters.next()) {
        (Some(digits), ..) => i128::from_str_radix(digits, 16).ok()?,
        (None, Some(letter), None) => i128::from(u32::from(letter)),
        _ => digits.parse().ok()?,
    };
    Some(if negative { -size } else { size })
}

/// A decimal or hexadecimal float, or `inf` or `nan`. What is too large for a `double` is no number.
fn float(text: &str) -> Option<f64> {
    let (value, _) = parse_float(text)?;
    let is_spelled_out = text.contains(|letter: char| letter.is_ascii_digit());
    (value.is_finite() || !is_spelled_out).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn read(demand: Result<Demand<Allowed>, String>, function: Option<&str>, name: &str, what: Allowed) {
        let demand = demand.expect("a demand");
        assert_eq!((demand.function.as_deref(), demand.name.as_str(), demand.what), (function, name, what));
    }

    #[test]
    fn ranges() {
        let integers = |low, high| Allowed::Between(Number::Int(low), Number::Int(high));
        let floats = |low, high| Allowed::Between(Number::Float(low), Number::Float(high));
        read(range("n=1..9"), None, "n", integers(1, 9));
        read(range(" p->x = -0x10 .. 'a' "), None, "p->x", integers(-16, 97));
        read(range("f : n=1..9"), Some("f"), "n", integers(1, 9));
        read(fixed("a[3]=-7"), None, "a[3]", Allowed::Only(Number::Int(-7)));
        read(range("x=0.5..2.5"), None, "x", floats(0.5, 2.5));
        read(range("x=-inf..1e-3"), None, "x", floats(f64::NEG_INFINITY, 1e-3));
        read(range("x=.5...75"), None, "x", floats(0.5, 0.75));
        read(fixed("x=0x1.8p1"), None, "x", Allowed::Only(Number::Float(3.0)));
        assert!(fixed("x=nan").is_ok_and(|demand| matches!(demand.what, Allowed::Only(one) if one.is_nan())));
        for wrong in ["x=nan..1", "x=2.5..0.5", "x=inf..-inf", "x=1e999..inf", "x=1.2.3..4"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
        assert!(fixed("x=1e").is_err() && fixed("x=1.5f").is_err() && fixed("x=0x").is_err());
        for wrong in ["n", "n=", "n=1", "n=1..", "n=x..2", "n=3..2", "=1..2", "f:=1..2", ":n=1..2"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
        assert!(shape("p=16").is_err() && shape("p").is_err() && shape(" p = array(16)").is_ok());
    }
}
