//! Floats as text, in the styles of `printf`. Rust's own conversion to a fixed number of digits is exact.

/// How a float is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// `f`, `e`, `g` or `a`.
    pub conversion: u8,
    pub precision: Option<usize>,
    /// The `#` flag: always a point, and for `g` trailing zeros.
    pub alternative: bool,
}

/// The text of a value without a sign.
pub(super) fn magnitude(value: f64, style: Style) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return "inf".into();
    }
    let precision = style.precision.unwrap_or(6);
    match style.conversion {
        b'f' => fixed(value, precision, style.alternative),
        b'e' => scientific(value, precision, style.alternative),
        b'g' => general(value, precision.max(1), style.alternative),
        _ => hexadecimal(value, style),
    }
}

fn fixed(value: f64, precision: usize, alternative: bool) -> String {
    let mut text = format!("{value:.precision$}");
    if alternative && precision == 0 {
        text.push('.');
    }
    text
}

fn scientific(value: f64, precision: usize, alternative: bool) -> String {
    let (digits, exponent) = decimal_parts(value, precision);
    let point = if alternative && precision == 0 { "." } else { "" };
    format!("{digits}{point}{}", exponent_text(exponent))
}

/// The digits with a point, and the decimal exponent.
fn decimal_parts(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').expect("Rust writes an exponent");
    (digits.to_string(), exponent.parse().expect("Rust writes a decimal exponent"))
}

/// At least two digits.
fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

/// C17 7.21.6.1p8, `g`: the style depends on the exponent that style `e` would have.
fn general(value: f64, precision: usize, alternative: bool) -> String {
    let (digits, exponent) = decimal_parts(value, precision - 1);
    let fits = exponent >= -4 && i64::from(exponent) < precision as i64;
    let (mut body, tail) = if fits {
        let behind = (precision as i64 - 1 - i64::from(exponent)) as usize;
        (fixed(value, behind, alternative), String::new())
    } else {
        let point = if alternative && precision == 1 { "." } else { "" };
        (format!("{digits}{point}"), exponent_text(exponent))
    };
    if !alternative && body.contains('.') {
        body.truncate(body.trim_end_matches('0').trim_end_matches('.').len());
    }
    body + &tail
}

/// glibc's form: one digit in front of the point, 0 for subnormal numbers.
fn hexadecimal(value: f64, style: Style) -> String {
    const DIGITS: usize = 13;
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let (lead, exponent) = match (bits >> 52) as i32 {
        0 if fraction == 0 => (0, 0),
        0 => (0, -1022),
        biased => (1u64, biased - 1023),
    };
    let mut mantissa = (lead << 52) | fraction;
    let mut digits = DIGITS;
    if let Some(precision) = style.precision
        && precision < DIGITS
    {
        mantissa = round_half_even(mantissa, 4 * (DIGITS - precision) as u32);
        digits = precision;
    }
    let (front, behind) = (mantissa >> (4 * digits), mantissa & ((1 << (4 * digits)) - 1));
    let mut behind = if digits == 0 { String::new() } else { format!("{behind:0digits$x}") };
    match style.precision {
        None => behind.truncate(behind.trim_end_matches('0').len()),
        Some(precision) => behind.extend(std::iter::repeat_n('0', precision.saturating_sub(DIGITS))),
    }
    let point = if behind.is_empty() && !style.alternative { "" } else { "." };
    format!("0x{front:x}{point}{behind}p{exponent:+}")
}

fn round_half_even(value: u64, dropped: u32) -> u64 {
    let (kept, rest, half) = (value >> dropped, value & ((1 << dropped) - 1), 1 << (dropped - 1));
    kept + u64::from(rest > half || (rest == half && kept & 1 == 1))
}
