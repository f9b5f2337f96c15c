//! Assignments, compound assignments, `++` and `--`: as statements and inside expressions.

use super::arith::{BinOp, operand_ranges, unguarded_percent};
use super::context::Gen;
use super::effects::Effects;
use super::expr::{Expr, Facts, Prec, Target};
use super::lvalues::Lvalue;
use super::range::Range;
use super::types::{IntKind, Type};

impl Gen<'_> {
    /// `place = value`, if the place's type can be assigned and the effects do not conflict.
    pub(super) fn assignment(&mut self, place: &Lvalue, depth: u32) -> Option<Expr> {
        let value = self.beside(place.address_effects, |e: &Expr| e.effects, |g| g.value_for(place, depth));
        let store = Effects::storing(place.bit);
        // The store itself is ordered after the operands' values, but not after their side effects.
        let unordered = Effects { writes: value.effects.direct, ..Effects::NONE };
        if unordered.conflicts(store) || unordered.conflicts(place.address_effects) {
            return None;
        }
        let text = format!("{} = {}", place.text, value.at(Prec::Assign));
        let effects = place.address_effects.and(value.effects).and(store);
        Some(result(place, text, Prec::Assign, effects))
    }

    /// A value that may be stored in a place.
    pub(super) fn value_for(&mut self, place: &Lvalue, depth: u32) -> Expr {
        match place.ty.clone() {
            Type::Int(_) | Type::Enum(..) => self.int_value_for(place, depth),
            Type::Float(_) => {
                let value = self.arithmetic_expr(depth);
                if !place.in_union {
                    return value;
                }
                let text = self.without_nan(&value);
                Expr { text, prec: Prec::Assign, ..value }
            }
            Type::Pointer(to) => self.pointer_expr(&to, place.store_target, depth),
            Type::Record(id) => self.record_expr(id, depth),
            Type::Function(signature) => self.function_address(signature),
            Type::Array(..) => unreachable!("arrays cannot be assigned"),
        }
    }

    fn int_value_for(&mut self, place: &Lvalue, depth: u32) -> Expr {
        if let Some(range) = place.range {
            return self.int_expr_within(range, depth);
        }
        if place.ty == Type::Int(IntKind::Bool) && self.rng.chance(40) {
            return self.condition(depth);
        }
        self.int_expr(depth)
    }

    /// `place op= value`.
    pub(super) fn compound_assignment(&mut self, place: &Lvalue, depth: u32) -> Option<Expr> {
        if matches!(place.ty, Type::Float(_)) {
            return self.float_compound(place, depth);
        }
        if place.range.is_some() || place.bits.is_some_and(|bits| bits > 32) {
            return None;
        }
        let op = self.rng.weighted(&BinOp::WEIGHTED);
        let current = place.read();
        let value = self.beside(current.effects, |e: &Expr| e.effects, |g| g.int_expr(depth));
        let value = self.operand_for(op, place, &current, value)?;
        let effects = current.effects.and(value.effects).and(Effects::storing(place.bit));
        if value.effects.writes & place.bit != 0 {
            return None;
        }
        let text = format!("{} {}= {}", place.text, op.sign(), value.at(Prec::Assign));
        Some(result(place, text, Prec::Assign, effects))
    }

    /// The right operand, made small enough for the operation to be defined; none if no operand is.
    fn operand_for(&mut self, op: BinOp, place: &Lvalue, current: &Expr, value: Expr) -> Option<Expr> {
        let defined = |value: &Expr| {
            let kind = op.kind(current.kind(), value.kind());
            let (a, b) = operand_ranges(op, kind, current, value);
            op.is_defined(kind, a, b)
        };
        // Where the result is cut down, gcc computes in a narrower type and misses an overflow.
        let full_width =
            place.ty.int_kind().map(IntKind::bits) == Some(op.kind(current.kind(), value.kind()).bits());
        let visible = full_width && place.bits.is_none();
        if defined(&value) || visible && self.leave_unguarded(unguarded_percent(op)) {
            return Some(value);
        }
        let limits = match op {
            BinOp::Shl | BinOp::Shr => Range::new(0, 15),
            BinOp::Div | BinOp::Rem => return self.divisor().filter(|value| defined(value)),
            _ => Range::new(-100, 100),
        };
        let value = self.coerce(value, limits);
        defined(&value).then_some(value)
    }

    fn divisor(&mut self) -> Option<Expr> {
        let value = self.rng.between(1, 1000);
        Some(self.literal(value.into()))
    }

    fn float_compound(&mut self, place: &Lvalue, depth: u32) -> Option<Expr> {
        if place.in_union {
            return None;
        }
        let current = place.read();
        let value = self.beside(current.effects, |e: &Expr| e.effects, |g| g.arithmetic_expr(depth));
        if value.effects.writes & place.bit != 0 {
            return None;
        }
        let sign = *self.rng.pick(&["+=", "-=", "*=", "/="]);
        let text = format!("{} {sign} {}", place.text, value.at(Prec::Assign));
        let effects = current.effects.and(value.effects).and(Effects::storing(place.bit));
        Some(result(place, text, Prec::Assign, effects))
    }

    /// `place++` and its relatives, if the step is always defined.
    pub(super) fn step(&mut self, place: &Lvalue) -> Option<Expr> {
        if place.range.is_some()
            || place.bits.is_some_and(|bits| bits > 32)
            || place.in_union && is_float(place)
        {
            return None;
        }
        if let Some(kind) = place.ty.int_kind() {
            let promoted = place.read().kind();
            let narrow = kind.bits() < 32 || place.bits.is_some_and(|bits| bits < 32);
            let defined = !promoted.signed() || narrow;
            if !defined && !self.leave_unguarded(30) {
                return None;
            }
        }
        let name = if place.prec < Prec::Postfix { format!("({})", place.text) } else { place.text.clone() };
        let effects = place.address_effects.and(Effects::reading(place.bit)).and(Effects::storing(place.bit));
        let (text, prec) = match self.rng.below(4) {
            0 => (format!("{name}++"), Prec::Postfix),
            1 => (format!("{name}--"), Prec::Postfix),
            2 => (format!("++{name}"), Prec::Unary),
            _ => (format!("--{name}"), Prec::Unary),
        };
        Some(result(place, text, prec, effects))
    }

    /// `if (x < 2147483647) x++;` for types in which a step can overflow.
    pub(super) fn guarded_step(&mut self, place: &Lvalue) -> Option<String> {
        let kind = place.ty.int_kind().filter(|kind| kind.signed() && kind.bits() >= 32)?;
        if place.range.is_some() || place.bits.is_some() || place.volatile || !place.address_effects.is_pure()
        {
            return None;
        }
        let name = if place.prec < Prec::Postfix { format!("({})", place.text) } else { place.text.clone() };
        let up = self.rng.chance(50);
        let limit = Self::decimal(if up { kind.range().hi } else { kind.range().lo });
        let (sign, step) = if up { ("<", "++") } else { (">", "--") };
        let text = match self.rng.below(3) {
            0 => format!("if ({name} {sign} {limit}) {name}{step};"),
            1 => format!("if ({name} != {limit}) {step}{name};"),
            _ => format!("{name} {sign} {limit} ? {name}{step} : 0;"),
        };
        Some(text)
    }
}

fn is_float(place: &Lvalue) -> bool {
    matches!(place.ty, Type::Float(_))
}

/// The value of an assignment to a place: what it holds afterwards.
fn result(place: &Lvalue, text: String, prec: Prec, effects: Effects) -> Expr {
    let read = place.read();
    let facts = match read.facts {
        Facts::Int(range) => Facts::Int(range),
        Facts::Float(_) => Facts::Float(None),
        Facts::Pointer(target) => Facts::Pointer(Target { nullable: true, ..target }),
        Facts::Nothing => Facts::Nothing,
    };
    let wide = place.bits.is_some_and(|bits| bits > 32);
    if wide {
        let kind = place.ty.int_kind().map_or("long", IntKind::name);
        return Expr { text: format!("({kind})({text})"), prec: Prec::Unary, ty: read.ty, facts, effects };
    }
    Expr { text, prec, ty: read.ty, facts, effects }
}
