//! Options of the form `name=value`.

use quipu_cover::Range;
use quipu_inputs::{SHAPE_FORMS, Shape};

/// `n=1..9`.
pub fn range(text: &str) -> Result<Range, String> {
    let wrong = || format!("error: `--range {text}` is not of the form NAME=LOW..HIGH, such as 'n=1..9'");
    let (name, bounds) = text.split_once('=').ok_or_else(wrong)?;
    let (low, high) = bounds.split_once("..").ok_or_else(wrong)?;
    let (low, high) = (number(low).ok_or_else(wrong)?, number(high).ok_or_else(wrong)?);
    if low > high {
        return Err(format!("error: the range of `{}` is empty: {low} is greater than {high}", name.trim()));
    }
    Ok(Range { name: name.trim().to_string(), low, high })
}

/// `mode=3`.
pub fn fixed(text: &str) -> Result<Range, String> {
    let wrong = || format!("error: `--fix {text}` is not of the form NAME=VALUE, such as 'mode=3'");
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = number(value).ok_or_else(wrong)?;
    Ok(Range { name: name.trim().to_string(), low: value, high: value })
}

/// `buffer=array(16)`.
pub fn shape(text: &str) -> Result<(String, Shape), String> {
    let hint = || format!("\n  = hint: a shape is {SHAPE_FORMS}");
    let (name, shape) = text.split_once('=').ok_or_else(|| {
        format!("error: `--shape {text}` is not of the form NAME=SHAPE, such as 'buffer=array(16)'{}", hint())
    })?;
    let shape = Shape::parse(shape).map_err(|why| format!("error: `--shape {text}`: {why}{}", hint()))?;
    Ok((name.trim().to_string(), shape))
}

/// A decimal or hexadecimal number, or a character.
fn number(text: &str) -> Option<i128> {
    let text = text.trim();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(range("n=1..9"), Ok(Range { name: "n".into(), low: 1, high: 9 }));
        assert_eq!(range(" p->x = -0x10 .. 'a' "), Ok(Range { name: "p->x".into(), low: -16, high: 97 }));
        assert_eq!(fixed("a[3]=-7"), Ok(Range { name: "a[3]".into(), low: -7, high: -7 }));
        for wrong in ["n", "n=", "n=1", "n=1..", "n=x..2", "n=3..2"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
        assert!(shape("p=16").is_err() && shape("p").is_err() && shape(" p = array(16)").is_ok());
    }
}
