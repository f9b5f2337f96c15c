//! Numbers in text, as `strtol`, `strtod` and `scanf` read them.
//!
//! The text is read byte by byte through a function, so that nothing behind the number is touched.

use super::ctype::is_space;
use crate::outcome::Fallible;

/// The bytes of a text by position; zero behind its end.
pub(super) type Peek<'p> = &'p mut dyn FnMut(u64) -> Fallible<u8>;

/// An integer found in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct IntegerText {
    /// The number of bytes, leading space included; zero if there is no number.
    pub length: u64,
    pub negative: bool,
    /// The absolute value; none if it exceeds 64 bits.
    pub magnitude: Option<u64>,
}

/// A float found in a text.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FloatText {
    /// The number of bytes, leading space included; zero if there is no number.
    pub length: u64,
    pub double: f64,
    /// The value rounded once to a `float`.
    pub single: f32,
    /// Whether a digit other than zero occurs, so that a result of zero is an underflow.
    pub nonzero: bool,
    /// Whether it is spelled as an infinity or a NaN.
    pub special: bool,
}

/// The integer at the start of a text, after white space, in base 2 to 36; 0 lets the prefix decide. At
/// most `width` bytes behind the white space belong to it.
pub(super) fn integer(peek: Peek<'_>, base: u32, width: u64) -> Fallible<IntegerText> {
    let start = skip_space(peek)?;
    let mut text = Cursor { peek, at: start, end: start.saturating_add(width) };
    let negative = text.sign()?;
    let mut base = base;
    let leading_zero = text.byte()? == b'0';
    if leading_zero && (base == 0 || base == 16) && text.hexadecimal_prefix()? {
        base = 16;
        text.at += 2;
    } else if base == 0 {
        base = if leading_zero { 8 } else { 10 };
    }
    let mut magnitude = Some(0u64);
    let mut digits = 0;
    while let Some(digit) = char::from(text.byte()?).to_digit(base) {
        magnitude = magnitude
            .and_then(|m| m.checked_mul(u64::from(base)))
            .and_then(|m| m.checked_add(u64::from(digit)));
        text.at += 1;
        digits += 1;
    }
    let length = if digits == 0 { 0 } else { text.at };
    Ok(IntegerText { length, negative, magnitude })
}

/// The float at the start of a text, after white space.
pub(super) fn float(peek: Peek<'_>, width: u64) -> Fallible<FloatText> {
    let start = skip_space(peek)?;
    let mut text = Cursor { peek, at: start, end: start.saturating_add(width) };
    let negative = text.sign()?;
    let mut found = match text.special()? {
        Some(special) => special,
        None if text.byte()? == b'0' && text.hexadecimal_float_prefix()? => {
            text.at += 2;
            hexadecimal(&mut text)?
        }
        None => decimal(&mut text)?,
    };
    if negative && found.length > 0 {
        found.double = -found.double;
        found.single = -found.single;
    }
    Ok(found)
}

fn skip_space(peek: Peek<'_>) -> Fallible<u64> {
    let mut at = 0;
    while is_space(peek(at)?) {
        at += 1;
    }
    Ok(at)
}

struct Cursor<'p> {
    peek: Peek<'p>,
    at: u64,
    end: u64,
}

impl Cursor<'_> {
    /// The byte at the present place; zero where the number must end.
    fn byte(&mut self) -> Fallible<u8> {
        self.ahead(0)
    }

    fn ahead(&mut self, distance: u64) -> Fallible<u8> {
        let at = self.at + distance;
        if at < self.end { (self.peek)(at) } else { Ok(0) }
    }

    /// Whether a minus sign was skipped; a plus sign is skipped too.
    fn sign(&mut self) -> Fallible<bool> {
        let byte = self.byte()?;
        if byte == b'-' || byte == b'+' {
            self.at += 1;
        }
        Ok(byte == b'-')
    }

    /// Behind a zero: whether `x` and a digit follow.
    fn hexadecimal_prefix(&mut self) -> Fallible<bool> {
        Ok(self.ahead(1)? | 32 == b'x' && self.ahead(2)?.is_ascii_hexdigit())
    }

    fn hexadecimal_float_prefix(&mut self) -> Fallible<bool> {
        let marked = self.ahead(1)? | 32 == b'x';
        Ok(marked
            && (self.ahead(2)?.is_ascii_hexdigit()
                || (self.ahead(2)? == b'.' && self.ahead(3)?.is_ascii_hexdigit())))
    }

    /// An infinity or a NaN, in any case of letters.
    fn special(&mut self) -> Fallible<Option<FloatText>> {
        for (word, value) in [("infinity", f64::INFINITY), ("inf", f64::INFINITY), ("nan", f64::NAN)] {
            if self.matches(word)? {
                self.at += word.len() as u64;
                if word == "nan" {
                    self.skip_nan_sequence()?;
                }
                let single = if value.is_nan() { f32::NAN } else { f32::INFINITY };
                return Ok(Some(FloatText {
                    length: self.at,
                    double: value,
                    single,
                    nonzero: true,
                    special: true,
                }));
            }
        }
        Ok(None)
    }

    fn matches(&mut self, word: &str) -> Fallible<bool> {
        for (n, expected) in word.bytes().enumerate() {
            if self.ahead(n as u64)?.to_ascii_lowercase() != expected {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `(letters)` behind `nan`, if it is closed.
    fn skip_nan_sequence(&mut self) -> Fallible<()> {
        if self.byte()? != b'(' {
            return Ok(());
        }
        let mut distance = 1;
        loop {
            let byte = self.ahead(distance)?;
            distance += 1;
            if byte == b')' {
                self.at += distance;
                return Ok(());
            }
            if !(byte.is_ascii_alphanumeric() || byte == b'_') {
                return Ok(());
            }
        }
    }

    /// Digits of a base with at most one point: the digits, and how many stand behind the point.
    fn digits(&mut self, base: u32) -> Fallible<(Vec<u8>, usize)> {
        let (mut digits, mut fraction, mut point) = (Vec::new(), 0, false);
        loop {
            let byte = self.byte()?;
            if byte == b'.' && !point {
                point = true;
            } else if char::from(byte).is_digit(base) {
                digits.push(byte);
                fraction += usize::from(point);
            } else {
                return Ok((digits, fraction));
            }
            self.at += 1;
        }
    }

    /// An exponent behind one of these letters, saturated; skipped only if it has digits.
    fn exponent(&mut self, letter: u8) -> Fallible<i32> {
        if self.byte()? | 32 != letter {
            return Ok(0);
        }
        let sign = self.ahead(1)?;
        let mut distance = if sign == b'-' || sign == b'+' { 2 } else { 1 };
        if !self.ahead(distance)?.is_ascii_digit() {
            return Ok(0);
        }
        let mut value = 0i32;
        while let Some(digit) = char::from(self.ahead(distance)?).to_digit(10) {
            value = (value * 10 + digit as i32).min(1 << 20);
            distance += 1;
        }
        self.at += distance;
        Ok(if sign == b'-' { -value } else { value })
    }
}

/// A decimal float; Rust's own conversion rounds correctly.
fn decimal(text: &mut Cursor<'_>) -> Fallible<FloatText> {
    let (digits, fraction) = text.digits(10)?;
    if digits.is_empty() {
        return Ok(FloatText { length: 0, double: 0.0, single: 0.0, nonzero: false, special: false });
    }
    let exponent = i64::from(text.exponent(b'e')?) - fraction as i64;
    let nonzero = digits.iter().any(|&digit| digit != b'0');
    let spelled = format!("{}e{exponent}", String::from_utf8_lossy(&digits));
    Ok(FloatText {
        length: text.at,
        double: spelled.parse().unwrap_or(0.0),
        single: spelled.parse().unwrap_or(0.0),
        nonzero,
        special: false,
    })
}

fn hexadecimal(text: &mut Cursor<'_>) -> Fallible<FloatText> {
    let (digits, fraction) = text.digits(16)?;
    let exponent = text.exponent(b'p')?;
    let (mut mantissa, mut shift, mut sticky) = (0u64, 0i32, false);
    for digit in digits.iter().filter_map(|&digit| char::from(digit).to_digit(16)) {
        if mantissa >> 59 == 0 {
            mantissa = mantissa * 16 + u64::from(digit);
        } else {
            shift += 4;
            sticky |= digit != 0;
        }
    }
    let exponent = exponent + shift - 4 * i32::try_from(fraction).unwrap_or(i32::MAX / 8);
    Ok(FloatText {
        length: text.at,
        double: rounded(mantissa, exponent, sticky, 53, -1074),
        single: rounded(mantissa, exponent, sticky, 24, -149) as f32,
        nonzero: mantissa != 0,
        special: false,
    })
}

/// `mantissa * 2^exponent` rounded once to `precision` bits above `least`, the exponent of the smallest
/// subnormal number. `sticky` says that something smaller follows. Beyond the range it is infinite.
fn rounded(mantissa: u64, exponent: i32, sticky: bool, precision: i32, least: i32) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let length = 64 - mantissa.leading_zeros() as i32;
    let unit = (exponent + length - precision).max(least);
    let dropped = unit - exponent;
    if dropped <= 0 {
        return scaled(mantissa, exponent);
    }
    if dropped > 64 {
        return 0.0;
    }
    let kept = u64::try_from(u128::from(mantissa) >> dropped).unwrap_or(0);
    let rest = u128::from(mantissa) & ((1u128 << dropped) - 1);
    let half = 1u128 << (dropped - 1);
    let up = rest > half || (rest == half && (sticky || kept & 1 == 1));
    scaled(kept + u64::from(up), unit)
}

/// `mantissa * 2^exponent` where that is exact or out of range.
fn scaled(mantissa: u64, exponent: i32) -> f64 {
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    let mut value = mantissa as f64;
    let mut exponent = exponent.clamp(-4000, 4000);
    while exponent > 1023 {
        value *= power(1023);
        exponent -= 1023;
    }
    while exponent < -1022 {
        value *= power(-1022);
        exponent += 1022;
    }
    value * power(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(s: &str) -> impl FnMut(u64) -> Fallible<u8> {
        let bytes = s.as_bytes().to_vec();
        move |n| Ok(bytes.get(n as usize).copied().unwrap_or(0))
    }

    fn int(s: &str, base: u32) -> (u64, bool, Option<u64>) {
        let found = integer(&mut text(s), base, u64::MAX).unwrap();
        (found.length, found.negative, found.magnitude)
    }

    #[test]
    fn integers() {
        assert_eq!(int("  -12x", 10), (5, true, Some(12)));
        assert_eq!(int("0x1g", 16), (3, false, Some(1)));
        assert_eq!(int("0xg", 16), (1, false, Some(0)));
        assert_eq!(int("077", 0), (3, false, Some(63)));
        assert_eq!(int("z", 36), (1, false, Some(35)));
        assert_eq!(int("+", 10).0, 0);
        assert_eq!(int("18446744073709551616", 10), (20, false, None));
        assert_eq!(integer(&mut text("12345"), 10, 3).unwrap().magnitude, Some(123));
    }

    #[test]
    fn floats() {
        for (s, length, value) in [
            ("1.5", 3, 1.5),
            ("-.25e2x", 6, -25.0),
            ("5.e-1", 5, 0.5),
            ("1e", 1, 1.0),
            ("0x1.8p1", 7, 3.0),
            ("0x.8", 4, 0.5),
            ("0xp1", 1, 0.0),
            ("infx", 3, f64::INFINITY),
            ("INFINITY", 8, f64::INFINITY),
            ("0x1p-1074", 9, 5e-324),
            ("0x1.00000000000008p0", 20, 1.0),
            ("0x1.000000000000080001p0", 24, 1.0000000000000002),
            ("0x1p1024", 8, f64::INFINITY),
            ("1e400", 5, f64::INFINITY),
            (".", 0, 0.0),
        ] {
            let found = float(&mut text(s), u64::MAX).unwrap();
            assert_eq!((found.length, found.double), (length, value), "{s}");
        }
        assert!(float(&mut text("nan(1)"), u64::MAX).unwrap().double.is_nan());
        assert_eq!(float(&mut text("16777217.000001"), u64::MAX).unwrap().single, 16777218.0);
    }
}
