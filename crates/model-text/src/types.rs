//! The types of the language: machine integers of 1 to 64 bits, read as signed or unsigned, and IEEE floats.

use std::fmt;

use quipu_model::{Reading, VarInfo};
use quipu_num::{FloatWidth, Width};

use crate::float_text;

/// A type: `u32`, `i8`, `f64`; `bool` is another name of `u1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Integer(Integer),
    Float(FloatWidth),
}

/// A type of integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Integer {
    pub signed: bool,
    pub width: Width,
}

impl Type {
    /// The truth values.
    pub const BOOL: Type = Type::Integer(Integer { signed: false, width: Width::W1 });

    /// The type of unsigned integers.
    pub const fn unsigned(width: Width) -> Type {
        Type::Integer(Integer { signed: false, width })
    }

    /// The type that a variable is declared with.
    pub fn of(info: &VarInfo) -> Type {
        match (info.reading, float_of(info.width)) {
            (Reading::Float, Some(w)) => Type::Float(w),
            (reading, _) => Type::Integer(Integer { signed: reading == Reading::Signed, width: info.width }),
        }
    }

    /// The type with this name.
    pub fn named(name: &str) -> Option<Type> {
        match name {
            "bool" => return Some(Type::BOOL),
            "f32" => return Some(Type::Float(FloatWidth::F32)),
            "f64" => return Some(Type::Float(FloatWidth::F64)),
            _ => {}
        }
        let signed = name.starts_with('i');
        let digits = name.strip_prefix(['i', 'u'])?;
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        let width = Width::new(digits.parse().ok().filter(|_| plain)?)?;
        Some(Type::Integer(Integer { signed, width }))
    }

    /// How many bits a value has.
    pub const fn width(self) -> Width {
        match self {
            Type::Integer(integer) => integer.width,
            Type::Float(w) => w.width(),
        }
    }

    /// The format, if it is a type of floats.
    pub const fn float(self) -> Option<FloatWidth> {
        match self {
            Type::Integer(_) => None,
            Type::Float(w) => Some(w),
        }
    }

    /// How a variable of the type is read.
    pub fn reading(self) -> Reading {
        match self {
            Type::Integer(integer) => Reading::integer(integer.signed),
            Type::Float(_) => Reading::Float,
        }
    }

    /// The type of integers in which the bits of a value, or the rank of a float, are a number.
    pub const fn as_integer(self) -> Integer {
        match self {
            Type::Integer(integer) => integer,
            Type::Float(w) => Integer { signed: false, width: w.width() },
        }
    }

    /// The number that a value is, as the language writes it. Reading it again gives the same value.
    pub fn show(self, value: u64) -> String {
        match self {
            Type::Integer(integer) => integer.number(value).to_string(),
            Type::Float(w) => float_text::show(w, value),
        }
    }
}

/// The format of floats with as many bits.
pub(crate) fn float_of(width: Width) -> Option<FloatWidth> {
    [FloatWidth::F32, FloatWidth::F64].into_iter().find(|w| w.width() == width)
}

impl Integer {
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
            Type::Integer(Integer { signed, width }) => {
                write!(f, "{}{}", if signed { 'i' } else { 'u' }, width.bits())
            }
            Type::Float(w) => write!(f, "f{}", w.bits()),
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
                let ty = Type::Integer(Integer { signed, width: Width::new(bits).unwrap() });
                assert_eq!(Type::named(&ty.to_string()), Some(ty));
            }
        }
        for w in [FloatWidth::F32, FloatWidth::F64] {
            assert_eq!(Type::named(&Type::Float(w).to_string()), Some(Type::Float(w)));
        }
        assert_eq!(Type::named("u1"), Some(Type::BOOL));
        for name in ["u0", "i65", "u", "u08", "u+8", "int", "f16", "f", "", "u99999999999"] {
            assert_eq!(Type::named(name), None, "{name}");
        }
    }

    #[test]
    fn numbers_in_and_out_of_range() {
        let i8 = Type::named("i8").unwrap().as_integer();
        assert_eq!((i8.bits(-128), i8.bits(-129), i8.bits(128)), (Some(0x80), None, None));
        assert_eq!(i8.number(0xff), -1);
        let u64 = Type::named("u64").unwrap().as_integer();
        assert_eq!(u64.bits(u64::MAX.into()), Some(u64::MAX));
        assert_eq!(u64.wrapped(-1), u64::MAX);
    }
}
