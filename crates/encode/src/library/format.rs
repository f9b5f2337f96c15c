//! The formats of `printf` and its relatives: what they consist of.

use quipu_ir::{DataModel, Ty};

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Literal(u8),
    Conversion(Conversion),
}

/// What a conversion asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    /// Whether there are flags, so that the text may look different.
    pub flags: bool,
    pub width: Amount,
    pub precision: Amount,
    pub kind: Kind,
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Amount {
    None,
    Number(u64),
    /// It is an argument.
    Argument,
}

/// What is converted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An integer that is passed as one type and converted to another.
    Number {
        passed: Ty,
        ty: Ty,
        signed: bool,
        base: u64,
        upper: bool,
    },
    Character,
    String,
    /// Something whose text is not modelled.
    Other(Ty),
}

/// Wider fields than this serve no program.
const WIDEST: u64 = 60_000;

/// The parts of a format; none if there is something in it that has no model.
pub(super) fn parts(format: &[u8], model: DataModel) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            parts.push(Part::Literal(byte));
            continue;
        }
        let n_flags = rest.iter().take_while(|byte| b"-+ #0".contains(byte)).count();
        rest = &rest[n_flags..];
        let width = amount(&mut rest);
        let precision = match rest.strip_prefix(b".") {
            Some(tail) => {
                rest = tail;
                match amount(&mut rest) {
                    Amount::None => Amount::Number(0),
                    amount => amount,
                }
            }
            None => Amount::None,
        };
        if [width, precision].iter().any(|amount| matches!(amount, Amount::Number(n) if *n > WIDEST)) {
            return None;
        }
        let length = length(&mut rest);
        let (&letter, tail) = rest.split_first()?;
        rest = tail;
        if letter == b'%' {
            parts.push(Part::Literal(b'%'));
            continue;
        }
        let kind = kind(letter, length, model)?;
        parts.push(Part::Conversion(Conversion { flags: n_flags > 0, width, precision, kind }));
    }
    Some(parts)
}

fn amount(rest: &mut &[u8]) -> Amount {
    if let Some(tail) = rest.strip_prefix(b"*") {
        *rest = tail;
        return Amount::Argument;
    }
    let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, tail) = rest.split_at(n_digits);
    *rest = tail;
    match digits {
        [] => Amount::None,
        digits => {
            Amount::Number(digits.iter().fold(0u64, |number, digit| {
                number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
            }))
        }
    }
}

fn length<'f>(rest: &mut &'f [u8]) -> &'f [u8] {
    let known: [&[u8]; 9] = [b"hh", b"h", b"ll", b"l", b"j", b"q", b"z", b"t", b"L"];
    let n = known.iter().find(|length| rest.starts_with(length)).map_or(0, |length| length.len());
    let (length, tail) = rest.split_at(n);
    *rest = tail;
    length
}

fn kind(letter: u8, length: &[u8], model: DataModel) -> Option<Kind> {
    let ty = match length {
        b"" => Ty::I32,
        b"hh" => Ty::I8,
        b"h" => Ty::I16,
        b"l" | b"z" | b"t" => model.address_ty(),
        _ => Ty::I64,
    };
    let passed = if matches!(length, b"h" | b"hh") { Ty::I32 } else { ty };
    let number = |signed, base, upper| Some(Kind::Number { passed, ty, signed, base, upper });
    match letter {
        b'd' | b'i' => number(true, 10, false),
        b'u' => number(false, 10, false),
        b'x' => number(false, 16, false),
        b'X' => number(false, 16, true),
        b'o' => number(false, 8, false),
        b'c' if length.is_empty() => Some(Kind::Character),
        b's' if length.is_empty() => Some(Kind::String),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => Some(Kind::Other(Ty::F64)),
        b'p' => Some(Kind::Other(Ty::Ptr)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_format() {
        let found = parts(b"a%%%-5.3hhx%.*s", DataModel::Lp64).unwrap();
        let hex = Kind::Number { passed: Ty::I32, ty: Ty::I8, signed: false, base: 16, upper: false };
        let expected = [
            Part::Literal(b'a'),
            Part::Literal(b'%'),
            Part::Conversion(Conversion {
                flags: true,
                width: Amount::Number(5),
                precision: Amount::Number(3),
                kind: hex,
            }),
            Part::Conversion(Conversion {
                flags: false,
                width: Amount::None,
                precision: Amount::Argument,
                kind: Kind::String,
            }),
        ];
        assert_eq!(found, expected);
        assert_eq!(parts(b"%n", DataModel::Lp64), None);
        assert_eq!(parts(b"%", DataModel::Lp64), None);
        assert_eq!(parts(b"%.99999999999d", DataModel::Lp64), None);
    }
}
