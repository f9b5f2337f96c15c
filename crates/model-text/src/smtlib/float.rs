//! Floats as expressions of the theory of floating-point numbers, with the meaning that `quipu-num` gives to them.

use quipu_model::{Node, Term};
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, MathFn, Width, is_nan_rank, nan_rank,
    number_ranks, rank, unrank,
};

use super::form::Form;
use super::{Unsupported, Writer, number};
use crate::types::float_of;

impl Writer<'_> {
    /// The expression for the float whose rank a term is.
    pub(super) fn float_expression(&self, term: Term) -> Result<String, Unsupported> {
        let w = float_of(self.model.width(term)).expect("a float has 32 or 64 bits");
        let float = |term: &Term| self.text(*term, Form::Float);
        let bits = |term: &Term| self.text(*term, Form::Bits);
        Ok(match self.model.node(term) {
            Node::Const(value) => constant(w, *value),
            Node::Float(FloatFn::Op(FloatOp::CopySign), _, items) => {
                let negative = if self.natures.is_usual(items[1]) {
                    format!("(fp.isNegative {})", float(&items[1]))
                } else {
                    is_negative_rank(w, bits(&items[1]))
                };
                let magnitude = format!("(fp.abs {})", float(&items[0]));
                format!("(ite {negative} (fp.neg {magnitude}) {magnitude})")
            }
            Node::Float(function, _, items) if !matches!(function, FloatFn::Compare(_)) => {
                let operands: Vec<&str> = items.iter().map(float).collect();
                function_text(*function, &operands)?
            }
            Node::Cast(Cast::Widen | Cast::Narrow, a) => {
                format!("((_ to_fp {}) RNE {})", format_of(w), float(a))
            }
            Node::Cast(Cast::SignedToFloat(..), a) => format!("((_ to_fp {}) RNE {})", format_of(w), bits(a)),
            Node::Cast(Cast::UnsignedToFloat(..), a) => {
                format!("((_ to_fp_unsigned {}) RNE {})", format_of(w), bits(a))
            }
            Node::Cast(Cast::BitsFloat(_), a) => of_bits(w, bits(a)),
            Node::Select(c, a, b) => format!("(ite (= {} #b1) {} {})", bits(c), float(a), float(b)),
            Node::Element(index, items) => self.element(*index, items, Form::Float, &constant(w, 0)),
            _ => of_bits(w, &bits_of_rank(w, self.text(term, Form::Bits))),
        })
    }

    /// The rank of a term that is computed as a float: the bits that the float has, or the usual NaN. SMT-LIB has no
    /// function from floats to bits, so these are a constant of which the float is told.
    pub(super) fn rank_of_float(&mut self, term: Term) -> String {
        let w = float_of(self.model.width(term)).expect("a float has 32 or 64 bits");
        let float = self.text(term, Form::Float).to_owned();
        let symbol = self.bits_of_float(w, &float);
        if matches!(self.model.node(term), Node::Var(_)) {
            // A variable may be any NaN.
            return rank_of_bits(w, &symbol);
        }
        let usual = number(w.bits(), nan_rank(w));
        format!("(ite (fp.isNaN {float}) {usual} {})", rank_of_bits(w, &symbol))
    }

    fn bits_of_float(&mut self, w: FloatWidth, float: &str) -> String {
        self.definitions += 1;
        let symbol = format!("b!{}", self.definitions);
        self.line(&format!("(declare-fun {symbol} () (_ BitVec {}))", w.bits()));
        self.line(&format!("(assert (= {} {float}))", of_bits(w, &symbol)));
        symbol
    }
}

/// The exponent and the significand of a format.
pub(super) fn format_of(w: FloatWidth) -> &'static str {
    match w {
        FloatWidth::F32 => "8 24",
        FloatWidth::F64 => "11 53",
    }
}

/// The sort of a format.
pub(super) fn sort(w: FloatWidth) -> String {
    format!("(_ FloatingPoint {})", format_of(w))
}

/// A float as it is written.
pub(super) fn constant(w: FloatWidth, value: u64) -> String {
    if is_nan_rank(w, value) {
        return format!("(_ NaN {})", format_of(w));
    }
    let bits = unrank(w, value);
    let exponent_bits: u32 = if w == FloatWidth::F32 { 8 } else { 11 };
    let fraction_bits = w.bits() - 1 - exponent_bits;
    let field = |from: u32, length: u32| {
        (from..from + length).rev().map(|n| if bits >> n & 1 == 1 { '1' } else { '0' }).collect::<String>()
    };
    let (sign, exponent) = (field(w.bits() - 1, 1), field(fraction_bits, exponent_bits));
    format!("(fp #b{sign} #b{exponent} #b{})", field(0, fraction_bits))
}

/// A formula: how two floats compare.
pub(super) fn comparison(cmp: FloatCmp, a: &str, b: &str) -> String {
    match cmp {
        FloatCmp::Eq => format!("(fp.eq {a} {b})"),
        FloatCmp::Ne => format!("(not (fp.eq {a} {b}))"),
        FloatCmp::Lt => format!("(fp.lt {a} {b})"),
        FloatCmp::Le => format!("(fp.leq {a} {b})"),
    }
}

fn function_text(function: FloatFn, operands: &[&str]) -> Result<String, Unsupported> {
    let all = operands.join(" ");
    let (a, b) = (operands[0], operands.get(1).copied().unwrap_or_default());
    Ok(match function {
        FloatFn::Op(FloatOp::Add) => format!("(fp.add RNE {all})"),
        FloatFn::Op(FloatOp::Sub) => format!("(fp.sub RNE {all})"),
        FloatFn::Op(FloatOp::Mul) => format!("(fp.mul RNE {all})"),
        FloatFn::Op(FloatOp::Div) => format!("(fp.div RNE {all})"),
        // SMT-LIB leaves open which of two zeros its own minimum is.
        FloatFn::Op(FloatOp::Min) => format!("(ite (or (fp.isNaN {a}) (fp.lt {b} {a})) {b} {a})"),
        FloatFn::Op(FloatOp::Max) => format!("(ite (or (fp.isNaN {a}) (fp.gt {b} {a})) {b} {a})"),
        FloatFn::Fma => format!("(fp.fma RNE {all})"),
        FloatFn::Unary(FloatUnary::Neg) => format!("(fp.neg {a})"),
        FloatFn::Unary(FloatUnary::Abs) => format!("(fp.abs {a})"),
        FloatFn::Unary(FloatUnary::Sqrt) => format!("(fp.sqrt RNE {a})"),
        FloatFn::Unary(FloatUnary::Floor) => format!("(fp.roundToIntegral RTN {a})"),
        FloatFn::Unary(FloatUnary::Ceil) => format!("(fp.roundToIntegral RTP {a})"),
        FloatFn::Unary(FloatUnary::Trunc) => format!("(fp.roundToIntegral RTZ {a})"),
        FloatFn::Unary(FloatUnary::Round) => format!("(fp.roundToIntegral RNA {a})"),
        FloatFn::Unary(FloatUnary::RoundEven) => format!("(fp.roundToIntegral RNE {a})"),
        FloatFn::Op(FloatOp::Rem) => {
            let message =
                "`fmod` has no form in SMT-LIB, whose remainder `fp.rem` rounds the quotient to nearest";
            return Err(Unsupported { message: message.to_owned() });
        }
        FloatFn::Math(function) => {
            let name = MathFn::ALL.iter().find(|(other, _)| *other == function).map_or("", |&(_, name)| name);
            return Err(Unsupported { message: format!("`{name}` has no form in SMT-LIB") });
        }
        FloatFn::Op(FloatOp::CopySign) | FloatFn::Compare(_) => unreachable!("these have forms of their own"),
    })
}

/// The rank of the result of an operation that changes nothing but the sign, from the ranks of its operands.
pub(super) fn sign_operation(function: FloatFn, w: FloatWidth, ranks: &[&str]) -> String {
    let flipped = |rank: &str| format!("(bvnot {rank})");
    let magnitude = |rank: &str| format!("(ite {} {} {rank})", is_negative_rank(w, rank), flipped(rank));
    match function {
        FloatFn::Unary(FloatUnary::Neg) => flipped(ranks[0]),
        FloatFn::Unary(FloatUnary::Abs) => magnitude(ranks[0]),
        _ => {
            let magnitude = magnitude(ranks[0]);
            format!("(ite {} {} {magnitude})", is_negative_rank(w, ranks[1]), flipped(&magnitude))
        }
    }
}

/// A float truncated to an integer, saturated, a NaN being 0.
pub(super) fn truncated(w: FloatWidth, to: Width, signed: bool, x: &str) -> String {
    let (low, high) = bounds(w, to, signed);
    let (least, greatest) = if signed { (to.min_signed(), to.max_signed()) } else { (0, to.mask()) };
    let (least, greatest) = (number(to.bits(), least), number(to.bits(), greatest));
    let conversion = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    let zero = number(to.bits(), 0);
    let inside = format!("((_ {conversion} {}) RTZ {x})", to.bits());
    format!(
        "(ite (fp.isNaN {x}) {zero} (ite (fp.geq {x} {high}) {greatest} (ite (fp.leq {x} {low}) {least} {inside})))"
    )
}

/// A formula: whether the truncated float is an integer of a width.
pub(super) fn fits(w: FloatWidth, to: Width, signed: bool, x: &str) -> String {
    let (low, high) = bounds(w, to, signed);
    let truncated = format!("(fp.roundToIntegral RTZ {x})");
    format!("(and (fp.leq {low} {truncated}) (fp.lt {truncated} {high}))")
}

/// The least integer of a width, and the one behind the greatest: powers of two, which floats are exactly.
fn bounds(w: FloatWidth, to: Width, signed: bool) -> (String, String) {
    let power = |n: u32| {
        let bits = match w {
            FloatWidth::F32 => u64::from(2.0_f32.powi(n as i32).to_bits()),
            FloatWidth::F64 => 2.0_f64.powi(n as i32).to_bits(),
        };
        rank(w, bits)
    };
    let high = power(if signed { to.bits() - 1 } else { to.bits() });
    // The rank of a float and that of its negative are complements.
    let low = if signed { w.width().wrap(!high) } else { rank(w, 0) };
    (constant(w, low), constant(w, high))
}

/// The float with these bits.
fn of_bits(w: FloatWidth, bits: &str) -> String {
    format!("((_ to_fp {}) {bits})", format_of(w))
}

/// The rank of the float with these bits.
pub(super) fn rank_of_bits(w: FloatWidth, bits: &str) -> String {
    let sign = number(w.bits(), 1 << (w.bits() - 1));
    format!("(ite (bvuge {bits} {sign}) (bvnot {bits}) (bvor {bits} {sign}))")
}

/// The bits of the float with this rank.
pub(super) fn bits_of_rank(w: FloatWidth, rank: &str) -> String {
    let sign = number(w.bits(), 1 << (w.bits() - 1));
    format!("(ite (bvuge {rank} {sign}) (bvxor {rank} {sign}) (bvnot {rank}))")
}

/// A formula: whether the sign bit of the float with this rank is set.
fn is_negative_rank(w: FloatWidth, text: &str) -> String {
    format!("(bvult {text} {})", number(w.bits(), rank(w, 0)))
}

/// A formula: whether a float lies in a range of numbers; none if comparisons cannot tell, at zeros or NaNs.
pub(super) fn in_range(w: FloatWidth, (first, last): (u64, u64), x: &str) -> Option<String> {
    let (least, greatest) = number_ranks(w);
    let numbers = least <= first && first <= last && last <= greatest;
    let zeros = first == rank(w, 0) || last == rank(w, 0) - 1;
    let formula = || format!("(and (fp.leq {} {x}) (fp.leq {x} {}))", constant(w, first), constant(w, last));
    (numbers && !zeros).then(formula)
}
