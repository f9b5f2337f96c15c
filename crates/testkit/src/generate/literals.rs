//! Integer and float constants in all their notations, with the type that C gives them (C17 6.4.4).

use super::context::Gen;
use super::effects::Effects;
use super::expr::{Expr, Prec};
use super::range::Range;
use super::types::{FloatKind, IntKind};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Decimal,
    Hex,
    Octal,
}

impl Gen<'_> {
    /// Any integer constant, biased towards boundaries.
    pub(super) fn int_literal(&mut self) -> Expr {
        if self.rng.chance(8) {
            return self.char_literal();
        }
        if self.rng.chance(10)
            && let Some(constant) = self.enum_constant()
        {
            return constant;
        }
        let value = self.interesting_value();
        self.literal(value)
    }

    /// A constant with this value; it fits into 64 bits, signed or unsigned.
    pub(super) fn literal(&mut self, value: i128) -> Expr {
        if value < 0 {
            return self.negative_literal(value);
        }
        let (text, kind) = self.notation(value);
        Expr::int(text, Prec::Primary, kind, Range::point(value), Effects::NONE)
    }

    /// A plain decimal constant for generated bounds.
    pub(super) fn decimal(value: i128) -> String {
        match value {
            -9_223_372_036_854_775_808 => "(-9223372036854775807L - 1)".to_string(),
            -2_147_483_648 => "(-2147483647 - 1)".to_string(),
            ..0 => format!("({value})"),
            0..=9_223_372_036_854_775_807 => value.to_string(),
            _ => format!("{value}U"),
        }
    }

    /// A float constant with its bound.
    pub(super) fn float_literal(&mut self) -> Expr {
        let kind = *self.rng.pick(&[FloatKind::Float, FloatKind::Double, FloatKind::Double]);
        let suffix = if kind == FloatKind::Float { *self.rng.pick(&["f", "F"]) } else { "" };
        let (text, bound): (String, f64) = match self.rng.below(6) {
            0 => (format!("{}.0", self.rng.below(100)), 100.0),
            1 => (format!("{}.{}", self.rng.below(1000), self.rng.below(1000)), 1001.0),
            2 => (format!("{}e{}", self.rng.below(10), self.rng.between(-20, 20)), 1e22),
            3 => (format!(".{}", self.rng.below(10_000)), 1.0),
            4 => (format!("0x1.{:x}p{}", self.rng.below(4096), self.rng.between(-30, 30)), 4e9),
            _ => (format!("{}.", self.rng.below(70_000)), 70_000.0),
        };
        Expr::float(format!("{text}{suffix}"), Prec::Primary, kind, Some(bound), Effects::NONE)
    }

    fn interesting_value(&mut self) -> i128 {
        match self.rng.below(10) {
            0..=3 => i128::from(self.rng.between(-12, 20)),
            4 | 5 => i128::from(self.rng.between(-300, 300)),
            6 => {
                let power = 1i128 << self.rng.below(64);
                let near = power + i128::from(self.rng.between(-1, 1));
                if near < (1 << 63) && self.rng.chance(40) { -near } else { near }
            }
            7 => {
                let range = self.rng.pick(&IntKind::ALL).range();
                if self.rng.chance(50) { range.lo } else { range.hi }
            }
            8 => i128::from(self.rng.between(-(1 << 31), (1 << 31) - 1)),
            _ => i128::from(self.rng.bits() >> self.rng.below(40)),
        }
    }

    fn negative_literal(&mut self, value: i128) -> Expr {
        let kind = if value < -2_147_483_648 { IntKind::Long } else { IntKind::Int };
        let text = Self::decimal(value);
        if text.contains(" - 1") {
            return Expr::int(text, Prec::Primary, kind, Range::point(value), Effects::NONE);
        }
        let (digits, kind) = loop {
            let (digits, kind) = self.notation(-value);
            if kind.signed() {
                break (digits, kind);
            }
        };
        Expr::int(format!("-{digits}"), Prec::Unary, kind, Range::point(value), Effects::NONE)
    }

    /// Digits and suffix for a value that is not negative.
    fn notation(&mut self, value: i128) -> (String, IntKind) {
        let base = self.rng.weighted(&[(7, Base::Decimal), (2, Base::Hex), (1, Base::Octal)]);
        let needs_unsigned = base == Base::Decimal && value > IntKind::Long.range().hi;
        let suffixes: &[&str] = if needs_unsigned {
            &["U", "UL", "llu"]
        } else if self.rng.chance(70) {
            &[""]
        } else {
            &["u", "U", "L", "l", "UL", "LL", "ull"]
        };
        let suffix = *self.rng.pick(suffixes);
        let digits = match base {
            Base::Decimal => value.to_string(),
            Base::Hex if self.rng.chance(50) => format!("0x{value:x}"),
            Base::Hex => format!("0X{value:X}"),
            Base::Octal => format!("0{value:o}"),
        };
        (format!("{digits}{suffix}"), literal_kind(value, base, suffix))
    }

    fn char_literal(&mut self) -> Expr {
        const CHARS: [(&str, i128); 10] = [
            ("'a'", 97),
            ("'Z'", 90),
            ("'0'", 48),
            (r"'\n'", 10),
            (r"'\0'", 0),
            (r"'\\'", 92),
            (r"'\''", 39),
            (r"'\x7f'", 127),
            (r"'\377'", -1),
            (r"'\x80'", -128),
        ];
        let (text, value) = *self.rng.pick(&CHARS);
        Expr::int(text.to_string(), Prec::Primary, IntKind::Int, Range::point(value), Effects::NONE)
    }

    fn enum_constant(&mut self) -> Option<Expr> {
        if self.enums.is_empty() {
            return None;
        }
        let def = self.rng.index(self.enums.len());
        let (name, value) = self.rng.pick(&self.enums[def].constants).clone();
        Some(Expr::int(name, Prec::Primary, IntKind::Int, Range::point(value.into()), Effects::NONE))
    }
}

/// The first type of C17 6.4.4.1p5's list that holds the value.
fn literal_kind(value: i128, base: Base, suffix: &str) -> IntKind {
    let lower = suffix.to_ascii_lowercase();
    let unsigned = lower.contains('u');
    let least = match lower.replace('u', "").as_str() {
        "" => IntKind::Int,
        "l" => IntKind::Long,
        _ => IntKind::LLong,
    };
    let signed_kinds = [IntKind::Int, IntKind::Long, IntKind::LLong];
    let candidates = signed_kinds.into_iter().filter(|&kind| kind >= least).flat_map(|kind| {
        let signed = (!unsigned).then_some(kind);
        let both = (unsigned || base != Base::Decimal).then_some(kind.to_unsigned());
        signed.into_iter().chain(both)
    });
    candidates.into_iter().find(|kind| kind.range().has(value)).expect("a literal should fit into 64 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_constants() {
        let kind = |value, base, suffix| literal_kind(value, base, suffix);
        assert_eq!(kind(2_147_483_647, Base::Decimal, ""), IntKind::Int);
        assert_eq!(kind(2_147_483_648, Base::Decimal, ""), IntKind::Long);
        assert_eq!(kind(2_147_483_648, Base::Hex, ""), IntKind::UInt);
        assert_eq!(kind(1 << 63, Base::Octal, ""), IntKind::ULong);
        assert_eq!(kind(1 << 63, Base::Hex, "ll"), IntKind::ULLong);
        assert_eq!(kind(1, Base::Decimal, "ull"), IntKind::ULLong);
        assert_eq!(kind(1 << 32, Base::Decimal, "u"), IntKind::ULong);
    }
}
