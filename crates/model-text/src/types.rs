//! The types of the language: machine integers of 1 to 64 bits, read as signed or unsigned.

use std::fmt;

use quipu_num::Width;

/// A type: `u32`, `i8`; `bool` is another name of `u1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    pub signed: bool,
    pub width: Width,
}

impl Type {
    /// The truth values.
    pub const BOOL: Type = Type { signed: false, width: Width::W1 };

    /// The type with this name.
    pub fn named(name: &str) -> Option<Type> {
        if name == "bool" {
            return Some(Type::BOOL);
        }
        let signed = name.starts_with('i');
        let digits = name.strip_prefix(['i', 'u'])?;
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        let width = Width::new(digits.parse().ok().filter(|_| plain)?)?;
        Some(Type { signed, width })
    }

    /// The smallest and the largest number of the type.
    pub fn bounds(self) -> (i128, i128) {
        let width = self.width;
        if self.signed {
            (i128::from(width.signed(width.min_signed())), i128::from(width.signed(width.max_signed())))
        } else {
            (0, i128::from(width.mask()))
        }
    }

    /// The canonical bits of a number, if the type has it.
    pub fn bits(self, number: i128) -> Option<u64> {
        let (low, high) = self.bounds();
        (low <= number && number <= high).then(|| self.wrapped(number))
    }

    /// The canonical bits of a number modulo the width.
    pub fn wrapped(self, number: i128) -> u64 {
        let low = number.rem_euclid(1 << 64);
        self.width.wrap(u64::try_from(low).expect("a residue of 2^64 fits"))
    }

    /// The number that canonical bits stand for.
    pub fn number(self, bits: u64) -> i128 {
        if self.signed { i128::from(self.width.signed(bits)) } else { i128::from(bits) }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Type::BOOL => f.write_str("bool"),
            Type { signed, width } => write!(f, "{}{}", if signed { 'i' } else { 'u' }, width.bits()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_types_correspond() {
        for bits in 1..=64 {
            for signed in [false, true] {
                let ty = Type { signed, width: Width::new(bits).unwrap() };
                assert_eq!(Type::named(&ty.to_string()), Some(ty));
            }
        }
        assert_eq!(Type::named("u1"), Some(Type::BOOL));
        for name in ["u0", "i65", "u", "u08", "u+8", "int", "f32", "", "u99999999999"] {
            assert_eq!(Type::named(name), None, "{name}");
        }
    }

    #[test]
    fn numbers_in_and_out_of_range() {
        let i8 = Type::named("i8").unwrap();
        assert_eq!((i8.bits(-128), i8.bits(-129), i8.bits(128)), (Some(0x80), None, None));
        assert_eq!(i8.number(0xff), -1);
        let u64 = Type::named("u64").unwrap();
        assert_eq!(u64.bits(u64::MAX.into()), Some(u64::MAX));
        assert_eq!(u64.wrapped(-1), u64::MAX);
    }
}
