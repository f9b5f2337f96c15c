//! The types of SSA values.

use quipu_num::{FloatWidth, Width};

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// An integer without a sign: the operations choose the view.
    Int(Width),
    /// A float.
    Float(FloatWidth),
    /// A pointer. Its size in memory is the data model's.
    Ptr,
}

impl Ty {
    /// A truth value.
    pub const BOOL: Ty = Ty::Int(Width::W1);
    /// A byte.
    pub const I8: Ty = Ty::Int(Width::W8);
    /// 16 bits.
    pub const I16: Ty = Ty::Int(Width::W16);
    /// 32 bits.
    pub const I32: Ty = Ty::Int(Width::W32);
    /// 64 bits.
    pub const I64: Ty = Ty::Int(Width::W64);
    /// `float`.
    pub const F32: Ty = Ty::Float(FloatWidth::F32);
    /// `double`.
    pub const F64: Ty = Ty::Float(FloatWidth::F64);

    /// The integer type of `bits` bits; panics outside 1 to 64.
    pub fn int(bits: u32) -> Ty {
        Ty::Int(Width::new(bits).expect("an integer type should have 1 to 64 bits"))
    }

    /// The integer's width.
    pub fn width(self) -> Option<Width> {
        match self {
            Ty::Int(w) => Some(w),
            _ => None,
        }
    }

    /// The float's format.
    pub fn float_width(self) -> Option<FloatWidth> {
        match self {
            Ty::Float(w) => Some(w),
            _ => None,
        }
    }
}

impl std::fmt::Display for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ty::Int(w) => write!(f, "i{}", w.bits()),
            Ty::Float(FloatWidth::F32) => f.write_str("f32"),
            Ty::Float(FloatWidth::F64) => f.write_str("f64"),
            Ty::Ptr => f.write_str("ptr"),
        }
    }
}
