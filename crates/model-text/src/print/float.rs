//! Functions of floats as text.

use quipu_model::Term;
use quipu_num::{Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth};

use super::line::{Line, level};
use super::operand::{Wanted, deepest, joined};
use super::scope::Scope;
use crate::build::float_function_name;
use crate::types::{Integer, Type};

impl Scope<'_> {
    pub(super) fn float(&mut self, function: FloatFn, w: FloatWidth, items: &[Term]) -> Line {
        let ty = Type::Float(w);
        let lines = self.alike(items, Wanted::Of(ty), true);
        match function {
            FloatFn::Unary(FloatUnary::Neg) => negated(&lines[0]),
            FloatFn::Op(FloatOp::Add) => self.binary("+", level::SUM, &lines, ty),
            FloatFn::Op(FloatOp::Sub) => self.binary("-", level::SUM, &lines, ty),
            FloatFn::Op(FloatOp::Mul) => self.binary("*", level::PRODUCT, &lines, ty),
            FloatFn::Op(FloatOp::Div) => self.binary("/", level::PRODUCT, &lines, ty),
            FloatFn::Compare(FloatCmp::Eq) => self.binary("==", level::EQUALITY, &lines, Type::BOOL),
            FloatFn::Compare(FloatCmp::Ne) => self.binary("!=", level::EQUALITY, &lines, Type::BOOL),
            FloatFn::Compare(FloatCmp::Lt) => self.binary("<", level::ORDER, &lines, Type::BOOL),
            FloatFn::Compare(FloatCmp::Le) => self.binary("<=", level::ORDER, &lines, Type::BOOL),
            FloatFn::Unary(_) | FloatFn::Op(_) | FloatFn::Fma | FloatFn::Math(_) => {
                let name = float_function_name(function);
                let text = format!("{name}({})", joined(&lines));
                Line::new(text, level::PRIMARY, ty, deepest(&lines) + 1)
            }
        }
    }

    /// A conversion from or to floats.
    pub(super) fn float_cast(&mut self, cast: Cast, a: Term) -> Line {
        let integer = |signed, width| Type::Integer(Integer { signed, width });
        let (from, to) = match cast {
            Cast::FloatBits(w) => {
                return self.operand(a, Type::Float(w)).called("bits", Type::unsigned(w.width()));
            }
            Cast::BitsFloat(w) => {
                return self.operand(a, Type::unsigned(w.width())).called("from_bits", Type::Float(w));
            }
            Cast::FloatToSigned(w, width) => (Type::Float(w), integer(true, width)),
            Cast::FloatToUnsigned(w, width) => (Type::Float(w), integer(false, width)),
            Cast::SignedToFloat(width, w) => (integer(true, width), Type::Float(w)),
            Cast::UnsignedToFloat(width, w) => (integer(false, width), Type::Float(w)),
            Cast::Widen => (Type::Float(FloatWidth::F32), Type::Float(FloatWidth::F64)),
            Cast::Narrow => (Type::Float(FloatWidth::F64), Type::Float(FloatWidth::F32)),
            Cast::Trunc(_, width) | Cast::ZExt(_, width) | Cast::SExt(_, width) => {
                unreachable!("a conversion of integers to {width:?} is no conversion of floats")
            }
        };
        let name = if to == Type::BOOL { "u1".to_owned() } else { to.to_string() };
        self.operand(a, from).cast(&name, to)
    }

    /// `float_fits(x, i32)`, with the second operand in between if it is another.
    pub(super) fn float_fits(&mut self, from: FloatWidth, to: Type, a: Term, b: Term) -> Line {
        let to = if to == Type::BOOL { "u1".to_owned() } else { to.to_string() };
        let items = if a == b { vec![a] } else { vec![a, b] };
        let lines = self.alike(&items, Wanted::Of(Type::Float(from)), true);
        let text = format!("float_fits({}, {to})", joined(&lines));
        Line::new(text, level::PRIMARY, Type::BOOL, deepest(&lines) + 1)
    }
}

/// `-x`. The minus of a number would become its sign.
fn negated(operand: &Line) -> Line {
    let is_number = operand.text.starts_with(|c: char| c.is_ascii_digit())
        || ["inf", "nan"].iter().any(|word| operand.text.starts_with(word));
    let least = if is_number { level::PRIMARY + 1 } else { level::PREFIX };
    Line::new(format!("-{}", operand.at(least)), level::PREFIX, operand.ty, operand.depth + 1)
}
