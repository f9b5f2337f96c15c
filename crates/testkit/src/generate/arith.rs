//! Integer arithmetic, guarded where the ranges of the operands do not rule undefined behaviour out.
//!
//! Where they do, the plain operator is used: the interpreter's own checks stand in front of exactly
//! those. Elsewhere one of several guards is chosen: a helper function, a detour through the unsigned
//! type, or smaller operands.

use super::context::{Gen, Mode};
use super::effects::Effects;
use super::expr::{Expr, Prec};
use super::range::Range;
use super::types::IntKind;

/// A binary operator on integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
}

impl BinOp {
    /// The operators, as often as they should appear.
    pub const WEIGHTED: [(u32, BinOp); 10] = [
        (8, BinOp::Add),
        (7, BinOp::Sub),
        (6, BinOp::Mul),
        (4, BinOp::Div),
        (4, BinOp::Rem),
        (3, BinOp::And),
        (3, BinOp::Or),
        (3, BinOp::Xor),
        (3, BinOp::Shl),
        (3, BinOp::Shr),
    ];

    /// How C writes it.
    pub fn sign(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::And => "&",
            BinOp::Or => "|",
            BinOp::Xor => "^",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
        }
    }

    fn prec(self) -> Prec {
        match self {
            BinOp::Add | BinOp::Sub => Prec::Additive,
            BinOp::Mul | BinOp::Div | BinOp::Rem => Prec::Multiplicative,
            BinOp::And => Prec::And,
            BinOp::Or => Prec::Or,
            BinOp::Xor => Prec::Xor,
            BinOp::Shl | BinOp::Shr => Prec::Shift,
        }
    }

    fn helper(self) -> &'static str {
        match self {
            BinOp::Add => "qk_add",
            BinOp::Sub => "qk_sub",
            BinOp::Mul => "qk_mul",
            BinOp::Div => "qk_div",
            BinOp::Rem => "qk_rem",
            BinOp::Shl => "qk_shl",
            _ => "qk_shr",
        }
    }

    /// The type of the operation on promoted operands.
    pub fn kind(self, a: IntKind, b: IntKind) -> IntKind {
        match self {
            BinOp::Shl | BinOp::Shr => a.promoted(),
            _ => a.common(b),
        }
    }

    fn range(self, a: Range, b: Range) -> Range {
        match self {
            BinOp::Add => a.add(b),
            BinOp::Sub => a.sub(b),
            BinOp::Mul => a.mul(b),
            BinOp::Div => a.div(b),
            BinOp::Rem => a.rem(b),
            BinOp::And => a.and(b),
            BinOp::Or | BinOp::Xor => a.or_xor(b),
            BinOp::Shl => a.shl(b),
            BinOp::Shr => a.shr(b),
        }
    }

    /// Whether the operation is defined for all operands in these ranges, converted to `kind` already.
    pub fn is_defined(self, kind: IntKind, a: Range, b: Range) -> bool {
        let fits = !kind.signed() || kind.range().contains(self.range(a, b));
        let amount_fits = Range::new(0, i128::from(kind.bits()) - 1).contains(b);
        match self {
            BinOp::Add | BinOp::Sub | BinOp::Mul => fits,
            BinOp::Div | BinOp::Rem => {
                let overflow = kind.signed() && a.has(kind.range().lo) && b.has(-1);
                !b.has(0) && !overflow
            }
            BinOp::And | BinOp::Or | BinOp::Xor => true,
            BinOp::Shl => amount_fits && (!kind.signed() || (a.lo >= 0 && fits)),
            BinOp::Shr => amount_fits,
        }
    }

    /// The result's range where the operation is defined.
    pub fn result(self, kind: IntKind, a: Range, b: Range) -> Range {
        self.range(a, b).or_all_of(kind.range())
    }
}

impl Gen<'_> {
    /// `a op b`, guarded if needed. The operands do not conflict.
    pub(super) fn binary(&mut self, op: BinOp, a: Expr, b: Expr) -> Expr {
        let kind = op.kind(a.kind(), b.kind());
        let (ra, rb) = operand_ranges(op, kind, &a, &b);
        if op.is_defined(kind, ra, rb) {
            return plain(op, &a, &b);
        }
        // Compilers fold constants before they add checks.
        let variable = a.effects.reads != 0 && (b.effects.reads != 0 || !is_division(op));
        if variable && self.leave_unguarded(unguarded_percent(op)) {
            return unfoldable(&plain(op, &a, &b));
        }
        let helper_allowed = self.mode != Mode::Constant;
        match self.rng.below(3) {
            0 if helper_allowed => helper_call(op, kind, &a, &b),
            1 if self.has_unsigned_detour(op) => self.unsigned_detour(op, kind, &a, &b),
            _ => self.smaller_operands(op, kind, a, b),
        }
    }

    /// `-a`, guarded if needed.
    pub(super) fn negate(&mut self, a: Expr) -> Expr {
        let kind = a.kind().promoted();
        let range = Range::point(0).sub(a.range());
        let text = format!("-{}", a.unary_operand());
        let plain = Expr::int(text, Prec::Unary, kind, range.or_all_of(kind.range()), a.effects);
        if !kind.signed() || kind.range().contains(range) {
            return plain;
        }
        if a.effects.reads != 0 && self.leave_unguarded(20) {
            return unfoldable(&plain);
        }
        let zero = Expr::int("0".into(), Prec::Primary, IntKind::Int, Range::point(0), Effects::NONE);
        self.binary(BinOp::Sub, zero, a)
    }

    /// The expression reduced to a value within `limits`, which contain zero.
    pub(super) fn coerce(&mut self, a: Expr, limits: Range) -> Expr {
        if limits.contains(a.range()) {
            return a;
        }
        let mask = (1i128 << (128 - (limits.hi + 1).leading_zeros() - 1)) - 1;
        let modulus = limits.hi.min(-limits.lo) + 1;
        if modulus > 1 && a.kind().range().hi >= modulus && self.rng.chance(50) {
            let divisor = self.small_constant(modulus);
            return plain(BinOp::Rem, &a, &divisor);
        }
        let mask = self.small_constant(mask);
        plain(BinOp::And, &a, &mask)
    }

    /// A constant that does not change the type of an operation with another operand.
    fn small_constant(&mut self, value: i128) -> Expr {
        let kind = if value > IntKind::Int.range().hi { IntKind::Long } else { IntKind::Int };
        Expr::int(value.to_string(), Prec::Primary, kind, Range::point(value), Effects::NONE)
    }

    fn has_unsigned_detour(&self, op: BinOp) -> bool {
        matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul)
    }

    /// `(int)((unsigned)a + (unsigned)b)`.
    fn unsigned_detour(&mut self, op: BinOp, kind: IntKind, a: &Expr, b: &Expr) -> Expr {
        let unsigned = kind.to_unsigned().name();
        let (left, right) = (a.unary_operand(), b.unary_operand());
        let text = format!("({})(({unsigned}){left} {} ({unsigned}){right})", kind.name(), op.sign());
        Expr::int(text, Prec::Unary, kind, kind.range(), a.effects.and(b.effects))
    }

    /// Masks the operands until the plain operation is defined.
    fn smaller_operands(&mut self, op: BinOp, kind: IntKind, a: Expr, b: Expr) -> Expr {
        let bits = i128::from(kind.bits());
        let (a, b) = match op {
            BinOp::Div | BinOp::Rem => (a, self.positive(b)),
            BinOp::Shr => (a, self.coerce(b, Range::new(0, bits - 1))),
            BinOp::Shl if !kind.signed() => (a, self.coerce(b, Range::new(0, bits - 1))),
            BinOp::Shl => {
                let amount = self.rng.between(1, 12).into();
                (self.coerce(a, Range::new(0, (1 << (bits - 14)) - 1)), self.coerce(b, Range::new(0, amount)))
            }
            BinOp::Mul => {
                let half = Range::new(-(1 << (bits / 2 - 2)), 1 << (bits / 2 - 2));
                (self.coerce(a, half), self.coerce(b, half))
            }
            _ => {
                let half = Range::new(-(1 << (bits - 3)), 1 << (bits - 3));
                (self.coerce(a, half), self.coerce(b, half))
            }
        };
        let kind = op.kind(a.kind(), b.kind());
        let (ra, rb) = operand_ranges(op, kind, &a, &b);
        if op.is_defined(kind, ra, rb) || self.mode == Mode::Constant {
            assert!(op.is_defined(kind, ra, rb), "{op:?} should be defined: {} {}", a.text, b.text);
            return plain(op, &a, &b);
        }
        helper_call(op, kind, &a, &b)
    }

    /// A positive divisor made of any integer.
    fn positive(&mut self, b: Expr) -> Expr {
        let most = i128::from(self.rng.between(1, 60));
        let masked = self.coerce(b, Range::new(0, most));
        let one = self.small_constant(1);
        plain(BinOp::Add, &masked, &one)
    }
}

/// The operands' ranges after the conversion to the type of the operation.
pub fn operand_ranges(op: BinOp, kind: IntKind, a: &Expr, b: &Expr) -> (Range, Range) {
    let left = a.range().or_all_of(kind.range());
    match op {
        BinOp::Shl | BinOp::Shr => (left, b.range()),
        _ => (left, b.range().or_all_of(kind.range())),
    }
}

/// How often an operator is left unguarded when undefined behaviour is wanted.
pub fn unguarded_percent(op: BinOp) -> u32 {
    match op {
        BinOp::Div | BinOp::Rem => 25,
        _ => 12,
    }
}

/// The operator without a guard.
pub fn plain(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    let kind = op.kind(a.kind(), b.kind());
    let (ra, rb) = operand_ranges(op, kind, a, b);
    let prec = op.prec();
    let text = format!("{} {} {}", a.at(prec), op.sign(), b.at(prec.tighter()));
    Expr::int(text, prec, kind, op.result(kind, ra, rb), a.effects.and(b.effects))
}

fn is_division(op: BinOp) -> bool {
    matches!(op, BinOp::Div | BinOp::Rem)
}

/// The value passed through a function. Without it gcc computes in a narrower type, or not at all, where
/// the result is cut down or unused, and its sanitizers do not see what happens in the full type.
fn unfoldable(a: &Expr) -> Expr {
    let text = format!("qk_same_{}({})", a.kind().promoted().helper_suffix(), a.arg());
    Expr { text, prec: Prec::Postfix, ..a.clone() }
}

fn helper_call(op: BinOp, kind: IntKind, a: &Expr, b: &Expr) -> Expr {
    let text = format!("{}_{}({}, {})", op.helper(), kind.helper_suffix(), a.arg(), b.arg());
    Expr::int(text, Prec::Postfix, kind, kind.range(), a.effects.and(b.effects))
}
