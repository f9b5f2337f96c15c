//! Pointer expressions, and what can be computed from pointers without leaving their array.
//!
//! A pointer's [`Target`] says what may be relied on. A pointer never outlives its target: a variable
//! holds only addresses of objects whose block is at least as far out as its own.

use super::context::{Gen, Mode, Var};
use super::effects::Effects;
use super::expr::{Expr, Facts, Prec, Target};
use super::ints::conditional;
use super::lvalues::Lvalue;
use super::range::Range;
use super::types::{IntKind, Type};

/// The number of elements of the global arrays that pointers can always fall back on.
pub const ANCHOR_LEN: u64 = 4;

impl Gen<'_> {
    /// A pointer to `to` that satisfies `need`.
    pub(super) fn pointer_expr(&mut self, to: &Type, need: Target, depth: u32) -> Expr {
        if need.nullable && self.rng.chance(15) {
            return self.null_pointer(to, need);
        }
        if depth > 0 && self.mode != Mode::Constant && self.rng.chance(15) {
            let cond = self.condition(depth - 1);
            let (a, b) = (self.pointer_expr(to, need, depth - 1), self.pointer_expr(to, need, depth - 1));
            let text = format!("{} ? {} : {}", cond.at(Prec::LogicalOr), a.text, b.at(Prec::Conditional));
            let effects = cond.effects.and(a.effects).and(b.effects);
            return pointer(text, Prec::Conditional, to, need, effects);
        }
        let candidates = self.pointers_to(to, need);
        if candidates.is_empty() || self.rng.chance(10) {
            // A record may point to its own kind: only null ends the search for an initial value.
            return if need.nullable { self.null_pointer(to, need) } else { self.anchor_pointer(to, need) };
        }
        self.rng.pick(&candidates).clone()
    }

    /// A global array of this type, made on demand. Pointers to it satisfy any need.
    pub(super) fn anchor(&mut self, to: &Type) -> Var {
        let ty = to.clone().array(ANCHOR_LEN);
        if let Some(var) = self.globals.iter().find(|var| var.ty == ty && var.addressable) {
            return var.clone();
        }
        let name = self.global_name("anchor");
        self.declare_global(&name, &ty)
    }

    /// `&a[i] - &a[j]` for some array.
    pub(super) fn pointer_difference(&mut self) -> Option<Expr> {
        let (a, b, len) = self.pointers_into_one_array()?;
        let text = format!("{} - {}", a.at(Prec::Additive), b.at(Prec::Multiplicative));
        let most = i128::from(len);
        let effects = a.effects.and(b.effects);
        Some(Expr::int(text, Prec::Additive, IntKind::Long, Range::new(-most, most), effects))
    }

    /// A comparison within an array, of any two pointers for equality, or with null.
    pub(super) fn pointer_comparison(&mut self) -> Option<Expr> {
        if self.rng.chance(50)
            && let Some((a, b, _)) = self.pointers_into_one_array()
        {
            return Some(self.compare(&a, &b));
        }
        let place = self.lvalue(|place| matches!(place.ty, Type::Pointer(_)) && place.bit != 0)?;
        let a = place.read();
        let Type::Pointer(to) = &a.ty else { return None };
        let need = Target { extent: 1, level: u32::MAX, nullable: true };
        let b = self.with_mode(Mode::Pure, |g| g.pointer_expr(to, need, 0));
        if a.effects.conflicts(b.effects) {
            return None;
        }
        let sign = *self.rng.pick(&["==", "!="]);
        let text = format!("{} {sign} {}", a.at(Prec::Equality), b.at(Prec::Relational));
        Some(Expr::truth(text, Prec::Equality, a.effects.and(b.effects)))
    }

    /// `p ? *p : e` for a pointer that may be null.
    pub(super) fn tested_pointee(&mut self, depth: u32) -> Option<Expr> {
        let place = self.lvalue(|place| {
            matches!(place.ty, Type::Pointer(_)) && place.target.nullable && place.address_effects.is_pure()
        })?;
        let Type::Pointer(to) = place.ty.clone() else { return None };
        let test = place.read();
        let certain = Lvalue { target: Target { nullable: false, ..place.target }, ..place };
        let mut object = self.pointee(certain, &to);
        if let Type::Record(id) = object.ty {
            object = self.member(object, id, 0);
        }
        object.ty.int_kind()?;
        let (value, otherwise) = (object.read(), self.int_expr(depth - 1));
        Some(conditional(&test, &value, &otherwise))
    }

    /// A byte of an integer variable, through a pointer to `unsigned char`.
    pub(super) fn byte_of_object(&mut self) -> Option<Expr> {
        if !self.features.pointers || self.mode == Mode::Constant {
            return None;
        }
        let var = self.pick_var(|var| matches!(var.ty, Type::Int(_)) && var.addressable && !var.volatile)?;
        let size = var.ty.int_kind()?.size();
        let byte = self.rng.below(size);
        let kind = *self.rng.pick(&[IntKind::UChar, IntKind::Char]);
        let (name, cast) = (&var.name, kind.name());
        let text = match self.rng.below(3) {
            0 => format!("((const {cast} *)&{name})[{byte}]"),
            1 => format!("*((({cast} *)(void *)&{name}) + {byte})"),
            _ => format!("({cast})((({cast} *)&{name})[{byte}])"),
        };
        let prec = if text.starts_with("((const") { Prec::Postfix } else { Prec::Unary };
        Some(Expr::int(text, prec, kind, kind.range(), Effects::reading(var.bit)))
    }

    /// Two pointers to elements of one array, and its length. One of them may point past the end.
    fn pointers_into_one_array(&mut self) -> Option<(Expr, Expr, u64)> {
        if !self.features.pointers || self.mode == Mode::Constant {
            return None;
        }
        let var = self.pick_var(|var| matches!(var.ty, Type::Array(..)) && !var.volatile)?;
        let Type::Array(element, len) = var.ty.clone() else { return None };
        let a = self.pointer_into(&var, &element, len);
        let b = self.beside(a.effects, |e: &Expr| e.effects, |g| g.pointer_into(&var, &element, len));
        Some((a, b, len))
    }

    fn pointer_into(&mut self, array: &Var, element: &Type, len: u64) -> Expr {
        let name = &array.name;
        let target = Target { extent: 0, level: array.level, nullable: false };
        let index = self.index_below(len);
        match self.rng.below(4) {
            0 => pointer(format!("({name} + {len})"), Prec::Primary, element, target, Effects::NONE),
            1 => {
                let text = format!("{name} + {}", index.at(Prec::Multiplicative));
                pointer(text, Prec::Additive, element, target, index.effects)
            }
            _ => pointer(format!("&{name}[{}]", index.text), Prec::Unary, element, target, index.effects),
        }
    }

    fn null_pointer(&mut self, to: &Type, need: Target) -> Expr {
        let text = match self.rng.below(4) {
            0 => "0".to_string(),
            1 => format!("({})0", self.type_name(&to.clone().pointer())),
            2 => "NULL".to_string(),
            _ => "(void *)0".to_string(),
        };
        let typed = format!("({})({text})", self.type_name(&to.clone().pointer()));
        pointer(typed, Prec::Unary, to, need, Effects::NONE)
    }

    fn anchor_pointer(&mut self, to: &Type, need: Target) -> Expr {
        let anchor = self.anchor(to);
        let offset = self.rng.below(ANCHOR_LEN - need.extent + 1);
        let target = Target { extent: ANCHOR_LEN - offset, level: 0, nullable: false };
        element_address(&anchor.name, offset, to, target, Effects::NONE, self.rng.chance(50))
    }

    /// All ways to get such a pointer from one visible variable.
    fn pointers_to(&mut self, to: &Type, need: Target) -> Vec<Expr> {
        let vars: Vec<Var> = self.visible().into_iter().filter(|var| !var.volatile).cloned().collect();
        let mut found = Vec::new();
        for var in vars {
            let global_only = self.mode == Mode::Constant;
            if global_only && var.level > 0 {
                continue;
            }
            if var.addressable && var.level <= need.level {
                found.extend(self.addresses_within(&Lvalue::of(&var), var.level, to, need));
            }
            if var.ty == to.clone().pointer() && !global_only && var.target.satisfies(need) {
                found.extend(self.moved_pointer(&var, to, need));
            }
        }
        found
    }

    /// `&x`, `x`, `&x[i]`, `&x.f` or `x.f`, where the type fits.
    fn addresses_within(&mut self, place: &Lvalue, level: u32, to: &Type, need: Target) -> Vec<Expr> {
        let target = Target { extent: 1, level, nullable: false };
        let mut found = Vec::new();
        if place.ty == *to && target.satisfies(need) {
            found.push(pointer(format!("&{}", place.text), Prec::Unary, to, target, Effects::NONE));
        }
        match place.ty.clone() {
            Type::Array(element, len) if *element == *to && len >= need.extent => {
                let offset = self.rng.below(len - need.extent + 1).min(len - 1);
                let target = Target { extent: len - offset, ..target };
                let decayed = self.rng.chance(50);
                found.push(element_address(&place.text, offset, to, target, Effects::NONE, decayed));
            }
            Type::Record(id) if !self.records[id].union && !self.records[id].packed => {
                for field in 0..self.records[id].fields.len() {
                    let member = self.member(place.clone(), id, field);
                    if member.bits.is_none() {
                        found.extend(self.addresses_within(&member, level, to, need));
                    }
                }
            }
            _ => {}
        }
        found
    }

    /// A pointer variable, perhaps moved within what it is known to point to.
    fn moved_pointer(&mut self, var: &Var, to: &Type, need: Target) -> Option<Expr> {
        let value = Lvalue::of(var).read();
        let slack = var.target.extent - need.extent;
        if slack == 0 || var.target.nullable || self.rng.chance(50) {
            return Some(value);
        }
        let offset = self.rng.below(slack + 1);
        let target = Target { extent: var.target.extent - offset, ..var.target };
        let text = format!("{} + {offset}", value.text);
        Some(pointer(text, Prec::Additive, to, target, value.effects))
    }
}

fn pointer(text: String, prec: Prec, to: &Type, target: Target, effects: Effects) -> Expr {
    Expr { text, prec, ty: to.clone().pointer(), facts: Facts::Pointer(target), effects }
}

fn element_address(
    array: &str,
    offset: u64,
    to: &Type,
    target: Target,
    effects: Effects,
    decayed: bool,
) -> Expr {
    match (decayed, offset) {
        (true, 0) => pointer(array.to_string(), Prec::Primary, to, target, effects),
        (true, _) => pointer(format!("{array} + {offset}"), Prec::Additive, to, target, effects),
        (false, _) => pointer(format!("&{array}[{offset}]"), Prec::Unary, to, target, effects),
    }
}
