//! Floats as terms: their ranks.
//!
//! Which NaN an operation results in, C does not say, and compilers differ: its bits, and its sign, are unknown where the
//! program looks at them. A NaN that was only moved about keeps its bits. Nor does C say which of two zeros is the less:
//! compilers exchange the operands of `fmin` and `fmax`.

use quipu_ir::{Check, InstKind, Ty, Value};
use quipu_model::{Node, Reading, Term};
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, Width, nan_rank, rank, unrank,
};

use crate::encoder::{Engine, Here};
use crate::encoding::Comparison;
use crate::frame::Frame;
use crate::symbol::Symbol;
use crate::terms::Terms;

/// A float: the term that is its rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Float {
    pub width: FloatWidth,
    pub rank: Term,
}

impl Float {
    /// The float with known bits.
    pub fn constant(terms: &mut Terms<'_>, width: FloatWidth, bits: u64) -> Float {
        Float { width, rank: terms.constant(width.width(), rank(width, bits)) }
    }

    pub fn unknown(terms: &mut Terms<'_>, width: FloatWidth) -> Float {
        Float { width, rank: terms.unknown_as(width.width(), Reading::Float) }
    }

    /// The float with the bits that a term has.
    pub fn from_bits(terms: &mut Terms<'_>, width: FloatWidth, bits: Term) -> Float {
        Float { width, rank: terms.cast(Cast::BitsFloat(width), bits, width.width()) }
    }

    /// Its bits: those of a NaN that was computed are unknown.
    pub fn bits(self, terms: &mut Terms<'_>) -> Term {
        let width = self.width.width();
        let bits = terms.cast(Cast::FloatBits(self.width), self.rank, width);
        if self.keeps_its_bits(terms) {
            return bits;
        }
        let nan = self.is_nan(terms);
        if terms.is_false(nan) {
            return bits;
        }
        let unknown = terms.unknown_where(width, nan, "the bits of a NaN that was computed");
        terms.select(nan, unknown, bits)
    }

    pub fn is_nan(self, terms: &mut Terms<'_>) -> Term {
        terms.float(FloatFn::Compare(FloatCmp::Ne), self.width, &[self.rank, self.rank])
    }

    /// Whether it was moved about, but not computed. Long chains are not followed.
    fn keeps_its_bits(self, terms: &Terms<'_>) -> bool {
        self.keeps_its_bits_within(terms, DEEPEST)
    }

    fn keeps_its_bits_within(self, terms: &Terms<'_>, depth: u32) -> bool {
        let again =
            |term: &Term| depth > 0 && Float { rank: *term, ..self }.keeps_its_bits_within(terms, depth - 1);
        match terms.model.node(self.rank) {
            Node::Const(rank) => !may_be_computed(self.width, *rank),
            Node::Var(_) | Node::Cast(Cast::BitsFloat(_), _) => true,
            Node::Select(_, a, b) => again(a) && again(b),
            Node::Element(_, items) => items.iter().all(again),
            Node::Float(FloatFn::Unary(FloatUnary::Neg | FloatUnary::Abs), _, items) => again(&items[0]),
            Node::Float(FloatFn::Op(FloatOp::CopySign), _, items) => again(&items[0]),
            _ => false,
        }
    }

    /// The same float, but for a NaN that was computed: any NaN.
    fn with_unknown_nan(self, terms: &mut Terms<'_>) -> Float {
        let bits = self.bits(terms);
        Float::from_bits(terms, self.width, bits)
    }
}

const DEEPEST: u32 = 6;

/// Whether a constant is a NaN that is the result of operations on constants: they were folded, so nothing else tells.
fn may_be_computed(width: FloatWidth, constant: u64) -> bool {
    let negated = rank(width, unrank(width, nan_rank(width)) ^ width.width().min_signed());
    [nan_rank(width), negated].contains(&constant)
}

impl<'a> Engine<'a> {
    /// A function of floats, whose result is a float or a truth value.
    pub fn float(&mut self, function: FloatFn, operands: &[Float]) -> Symbol {
        let width = operands[0].width;
        let mut ranks: Vec<Term> = operands.iter().map(|operand| operand.rank).collect();
        if function == FloatFn::Op(FloatOp::CopySign) {
            ranks[1] = operands[1].with_unknown_nan(&mut self.terms).rank;
        }
        let result = self.terms.float(function, width, &ranks);
        match function {
            FloatFn::Compare(_) => Symbol::Int(result),
            FloatFn::Op(FloatOp::Min | FloatOp::Max) => {
                let rank = self.either_zero(width, &ranks, result);
                Symbol::Float(Float { width, rank })
            }
            _ => Symbol::Float(Float { width, rank: result }),
        }
    }

    /// The less or the greater of two floats: of zeros with different signs any.
    fn either_zero(&mut self, width: FloatWidth, operands: &[Term], result: Term) -> Term {
        let zeros = [0, width.width().min_signed()].map(|bits| rank(width, bits));
        let terms = &mut self.terms;
        let orders = [zeros, [zeros[1], zeros[0]]].map(|[a, b]| {
            let (a, b) = (terms.is(operands[0], a), terms.is(operands[1], b));
            terms.both(a, b)
        });
        let differ = terms.any(&orders);
        if terms.is_false(differ) {
            return result;
        }
        let which = terms.unknown_where(Width::W1, differ, "which of two zeros is the less");
        let zeros = zeros.map(|zero| terms.constant(width.width(), zero));
        let any = terms.select(which, zeros[0], zeros[1]);
        terms.select(differ, any, result)
    }

    /// An operation on floats.
    pub fn float_instruction(&mut self, frame: &Frame<'a>, here: Here, kind: &InstKind) -> Symbol {
        let mut float = |value: &Value| self.value(frame, *value).float();
        let (function, operands) = match kind {
            InstKind::Float(op, a, b) => (FloatFn::Op(*op), vec![float(a), float(b)]),
            InstKind::FloatUnary(op, a) => (FloatFn::Unary(*op), vec![float(a)]),
            InstKind::Fma(a, b, c) => (FloatFn::Fma, vec![float(a), float(b), float(c)]),
            InstKind::FloatCmp(cmp, a, b) => (FloatFn::Compare(*cmp), vec![float(a), float(b)]),
            other => unreachable!("only operations on floats come here: {other:?}"),
        };
        if let FloatFn::Compare(_) = function {
            let comparison =
                Comparison { visit: self.visit(here.context), a: operands[0].rank, b: operands[1].rank };
            self.out.comparisons.entry((here.func, here.block, here.inst)).or_default().push(comparison);
        }
        self.float(function, &operands)
    }

    pub fn float_cast(&mut self, cast: Cast, a: &Symbol, ty: Ty) -> Symbol {
        let operand = match a {
            Symbol::Int(term) => *term,
            Symbol::Float(float) => float.rank,
            Symbol::Pointer(_) => unreachable!("a pointer is no number"),
        };
        match (cast, a, ty) {
            (Cast::FloatBits(_), Symbol::Float(float), _) => Symbol::Int(float.bits(&mut self.terms)),
            (_, _, Ty::Float(width)) => {
                Symbol::Float(Float { width, rank: self.terms.cast(cast, operand, width.width()) })
            }
            (_, _, Ty::Int(width)) => Symbol::Int(self.terms.cast(cast, operand, width)),
            (_, _, Ty::Ptr) => unreachable!("no conversion gives a pointer"),
        }
    }

    /// Whether a float can be converted to an integer.
    pub fn float_fits(&mut self, here: Here, check: Check, a: &Symbol) {
        let Check::Guard(guard @ Guard::FloatFits { .. }) = check else {
            unreachable!("only conversions of floats come here")
        };
        let rank = a.float().rank;
        let holds = self.terms.guard(guard, rank, rank);
        self.check(here, holds, check.event());
    }
}
