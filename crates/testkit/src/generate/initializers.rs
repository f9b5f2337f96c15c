//! Initialisers of every shape: positional, designated, partial, with ranges, without inner braces.

use super::context::{Gen, Mode};
use super::effects::Effects;
use super::expr::{Expr, Facts, Prec};
use super::lvalues::Lvalue;
use super::types::{IntKind, Type};

/// The text of an initialiser and what evaluating it does.
pub type Initializer = (String, Effects);

impl Gen<'_> {
    /// An initialiser for an object like `place`. Its parts have no side effects: their order is open.
    pub(super) fn initializer(&mut self, place: &Lvalue, depth: u32) -> Initializer {
        match place.ty.clone() {
            Type::Array(element, len) => {
                self.with_mode(Mode::Pure, |g| g.array_initializer(place, &element, len, depth))
            }
            Type::Record(id) => self.with_mode(Mode::Pure, |g| g.record_initializer(place, id, depth)),
            _ => {
                let value = self.value_for(place, depth);
                (value.arg(), value.effects)
            }
        }
    }

    /// `(struct s){ ... }` or another expression of a record type.
    pub(super) fn record_expr(&mut self, id: usize, depth: u32) -> Expr {
        let ty = Type::Record(id);
        if self.rng.chance(50)
            && let Some(lvalue) = self.lvalue(|lvalue| lvalue.ty == ty)
        {
            return lvalue.read();
        }
        if depth > 0
            && self.rng.chance(40)
            && let Some(call) = self.call_returning(depth, |ret| *ret == ty)
        {
            return call;
        }
        if depth > 0 && self.mode != Mode::Constant && self.rng.chance(20) {
            let cond = self.condition(depth - 1);
            let (a, b) = (self.record_expr(id, depth - 1), self.record_expr(id, depth - 1));
            let text = format!("{} ? {} : {}", cond.at(Prec::LogicalOr), a.text, b.at(Prec::Conditional));
            let effects = cond.effects.and(a.effects).and(b.effects);
            return Expr { text, prec: Prec::Conditional, ty, facts: Facts::Nothing, effects };
        }
        self.record_literal(id, depth)
    }

    /// A compound literal.
    pub(super) fn record_literal(&mut self, id: usize, depth: u32) -> Expr {
        let ty = Type::Record(id);
        let (text, effects) = self.initializer(&self.unnamed(&ty), depth.min(1));
        let text = format!("({}){text}", self.type_name(&ty));
        Expr { text, prec: Prec::Postfix, ty, facts: Facts::Nothing, effects }
    }

    /// A place for an object that has no name and lives anywhere.
    pub(super) fn unnamed(&self, ty: &Type) -> Lvalue {
        let var = super::context::Var::new(String::new(), ty.clone(), 0, super::effects::MEMORY);
        Lvalue::of(&var)
    }

    fn array_initializer(&mut self, place: &Lvalue, element: &Type, len: u64, depth: u32) -> Initializer {
        if *element == Type::Int(IntKind::Char) && place.range.is_none() && self.rng.chance(60) {
            let text = self.string_literal(usize::try_from(len).expect("arrays are short") - 1);
            return (text, Effects::NONE);
        }
        let inner = Lvalue { ty: element.clone(), ..place.clone() };
        let complete = !self.zeroable(element);
        if complete {
            return self.list((0..len).map(|_| (String::new(), inner.clone())).collect(), depth);
        }
        match self.rng.below(8) {
            0 => ("{0}".to_string(), Effects::NONE),
            1 => self.designated_elements(&inner, len, depth),
            2 => self.flat_elements(&inner, len, depth),
            _ => {
                let n = if self.rng.chance(70) { len } else { self.rng.below(len) + 1 };
                self.list((0..n).map(|_| (String::new(), inner.clone())).collect(), depth)
            }
        }
    }

    /// `{[2] = x, y, [4 ... 6] = z}`.
    fn designated_elements(&mut self, inner: &Lvalue, len: u64, depth: u32) -> Initializer {
        let mut items = Vec::new();
        let mut next = 0;
        while next < len {
            next += self.rng.below(2);
            let last = (next + self.rng.below(3)).min(len.saturating_sub(1));
            if next >= len {
                break;
            }
            let scalar = inner.ty.is_arithmetic();
            let designator = if scalar && last > next && self.rng.chance(40) {
                format!("[{next} ... {last}] = ")
            } else {
                format!("[{next}] = ")
            };
            next = if designator.contains("...") { last + 1 } else { next + 1 };
            items.push((designator, inner.clone()));
        }
        if items.is_empty() {
            items.push(("[0] = ".to_string(), inner.clone()));
        }
        self.list(items, depth)
    }

    /// A list without the braces of inner arrays.
    fn flat_elements(&mut self, inner: &Lvalue, len: u64, depth: u32) -> Initializer {
        let mut place = inner.clone();
        let mut n = len;
        while let Type::Array(element, inner_len) = place.ty.clone() {
            place.ty = *element;
            n *= inner_len;
        }
        if matches!(place.ty, Type::Record(_)) {
            return self.list((0..len).map(|_| (String::new(), inner.clone())).collect(), depth);
        }
        self.list((0..n).map(|_| (String::new(), place.clone())).collect(), depth)
    }

    fn record_initializer(&mut self, place: &Lvalue, id: usize, depth: u32) -> Initializer {
        let n_fields = self.records[id].fields.len();
        let member = |g: &Self, field: usize| {
            let name = format!(".{} = ", g.records[id].fields[field].name);
            (name, g.member(place.clone(), id, field))
        };
        if self.records[id].union {
            let field = self.rng.index(n_fields);
            return self.list(vec![member(self, field)], depth);
        }
        let zeroable = (0..n_fields).all(|field| self.zeroable(&self.records[id].fields[field].ty.clone()));
        let mut members: Vec<(String, Lvalue)> = (0..n_fields).map(|field| member(self, field)).collect();
        match self.rng.below(6) {
            0 if zeroable => ("{0}".to_string(), Effects::NONE),
            1 | 2 => {
                self.rng.shuffle(&mut members);
                let kept = if zeroable { self.rng.index(n_fields) + 1 } else { n_fields };
                members.truncate(kept);
                self.list(members, depth)
            }
            _ => self.list(members.into_iter().map(|(_, place)| (String::new(), place)).collect(), depth),
        }
    }

    fn list(&mut self, items: Vec<(String, Lvalue)>, depth: u32) -> Initializer {
        let mut effects = Effects::NONE;
        let mut texts = Vec::new();
        for (designator, place) in items {
            let depth = if self.rng.chance(20) { depth } else { 0 };
            let (text, item_effects) = self.initializer(&place, depth);
            effects = effects.and(item_effects);
            texts.push(format!("{designator}{text}"));
        }
        let end = if self.rng.chance(5) { "," } else { "" };
        (format!("{{{}{end}}}", texts.join(", ")), effects)
    }

    /// Whether all bits zero is a value that the program can use: not for pointers, which would be null.
    pub(super) fn zeroable(&self, ty: &Type) -> bool {
        match ty {
            Type::Pointer(_) | Type::Function(_) => false,
            Type::Array(element, _) => self.zeroable(element),
            Type::Record(id) => self.records[*id].fields.iter().all(|f| f.nullable || self.zeroable(&f.ty)),
            _ => true,
        }
    }
}
