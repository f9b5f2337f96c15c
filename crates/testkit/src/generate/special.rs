//! Expressions that are about types or carry a block: `sizeof`, `_Generic`, compound literals and
//! statement expressions.

use super::context::{Gen, Mode, Var};
use super::effects::Effects;
use super::expr::{Expr, Prec};
use super::lvalues::Lvalue;
use super::range::Range;
use super::types::{IntKind, Type};

impl Gen<'_> {
    /// `sizeof` or `_Alignof` of a type or an expression, which is not evaluated.
    pub(super) fn size_of(&mut self, depth: u32) -> Expr {
        let (text, range) = match self.rng.below(4) {
            0 => self.size_of_variable(),
            1 => {
                let operand = self.with_mode(Mode::Pure, |g| g.arithmetic_expr(depth - 1));
                (format!("sizeof({} + 0)", operand.at(Prec::Additive)), Range::new(4, 8))
            }
            2 => {
                let ty = self.variable_type(true);
                (format!("_Alignof({})", self.type_name(&ty)), Range::new(1, 8))
            }
            _ => {
                let ty = self.variable_type(true);
                (format!("sizeof({})", self.type_name(&ty)), Range::new(1, 1 << 14))
            }
        };
        Expr::int(text, Prec::Unary, IntKind::ULong, range, Effects::NONE)
    }

    fn size_of_variable(&mut self) -> (String, Range) {
        let Some(var) = self.pick_var(|_| true) else {
            return ("sizeof(int)".to_string(), Range::point(4));
        };
        match &var.ty {
            Type::Array(_, len) if self.rng.chance(60) => {
                let name = &var.name;
                (format!("(sizeof({name}) / sizeof({name}[0]))"), Range::point((*len).into()))
            }
            _ => (format!("sizeof {}", var.name), Range::new(1, 1 << 14)),
        }
    }

    /// The number of an expression's type: shows whether both sides agree on conversions.
    pub(super) fn type_number(&mut self, depth: u32) -> Expr {
        let place = self.lvalue(|place| place.ty.is_arithmetic() && place.bits.is_none());
        let operand = match place {
            Some(place) if self.rng.chance(40) => place.text,
            // A unary plus promotes: the type of an unpromoted bit-field differs between compilers.
            _ => {
                let operand = self.with_mode(Mode::Pure, |g| g.arithmetic_expr(depth - 1));
                format!("+{}", operand.unary_operand())
            }
        };
        let text = format!("QK_TYPE({operand})");
        Expr::int(text, Prec::Primary, IntKind::Int, Range::new(0, 20), Effects::NONE)
    }

    /// An integer out of a compound literal.
    pub(super) fn compound_literal_int(&mut self, depth: u32) -> Option<Expr> {
        if self.mode == Mode::Constant {
            return None;
        }
        if !self.records.is_empty() && self.rng.chance(50) {
            return self.member_of_literal(depth);
        }
        let element = self.scalar_int_type();
        let kind = element.int_kind()?;
        let len = self.rng.below(3) + 2;
        let ty = element.clone().array(len);
        let (list, effects) = self.initializer(&self.unnamed(&ty), depth - 1);
        let list = if list.starts_with('"') { format!("{{{list}}}") } else { list };
        let index = self.beside(effects, |e: &Expr| e.effects, |g| g.index_below(len));
        let text = format!("(({}){list})[{}]", self.type_name(&ty), index.text);
        Some(Expr {
            ty: element,
            ..Expr::int(text, Prec::Postfix, kind, kind.range(), effects.and(index.effects))
        })
    }

    fn member_of_literal(&mut self, depth: u32) -> Option<Expr> {
        let id = self.rng.index(self.records.len());
        let fields = &self.records[id].fields;
        let candidates: Vec<usize> =
            (0..fields.len()).filter(|&field| fields[field].ty.int_kind().is_some()).collect();
        if candidates.is_empty() {
            return None;
        }
        let literal = self.record_expr_value(id, depth);
        let place = Lvalue {
            text: literal.at(Prec::Postfix),
            prec: Prec::Postfix,
            address_effects: literal.effects,
            bit: 0,
            ..self.unnamed(&Type::Record(id))
        };
        let field = *self.rng.pick(&candidates);
        Some(self.member(place, id, field).read())
    }

    /// A record value that no variable holds: a literal or the result of a call.
    fn record_expr_value(&mut self, id: usize, depth: u32) -> Expr {
        let ty = Type::Record(id);
        match self.call_returning(depth, |ret| *ret == ty) {
            Some(call) if self.rng.chance(70) => call,
            _ => self.record_literal(id, depth - 1),
        }
    }

    /// `({ int t = x; t += y; t * 2; })`.
    pub(super) fn statement_expression(&mut self, depth: u32) -> Option<Expr> {
        if self.mode == Mode::Constant || !self.features.statement_expressions {
            return None;
        }
        let name = self.local_name("t");
        let ty = self.scalar_int_type();
        let bit = self.frame.own_bit();
        let var = Var::new(name, ty.clone(), self.frame.level() + 1, bit);
        let place = Lvalue::of(&var);
        let first = self.value_for(&place, depth - 1);
        let mut text = format!("({{ {} = {}; ", self.declare(&ty, &var.name), first.arg());
        let mut effects = first.effects;
        self.frame.scopes.push(vec![var]);
        let update = self.with_mode(Mode::Pure, |g| g.compound_assignment(&place, depth - 1));
        if let Some(update) = update {
            text.push_str(&format!("{}; ", update.text));
            effects = effects.and(update.effects);
        }
        let value = self.int_expr(depth - 1);
        self.frame.scopes.pop();
        effects = effects.and(value.effects);
        let kind = value.kind().promoted();
        text.push_str(&format!("+{}; }})", value.unary_operand()));
        effects.reads &= !bit;
        effects.writes &= !bit;
        effects.direct = effects.writes;
        Some(Expr::int(text, Prec::Primary, kind, value.range(), effects))
    }
}
