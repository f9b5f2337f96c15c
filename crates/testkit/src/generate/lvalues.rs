//! Lvalues: random walks from a variable through indices, members and pointers to a scalar or a record.

use super::context::{Gen, Mode, Var};
use super::effects::{Effects, MEMORY};
use super::expr::{Expr, Facts, Prec, Target};
use super::range::Range;
use super::types::{IntKind, Type, bits_range};

/// A place that can be read and perhaps written.
#[derive(Clone, Debug)]
pub struct Lvalue {
    pub(super) text: String,
    pub(super) prec: Prec,
    pub(super) ty: Type,
    /// What finding the place does, without reading or writing it.
    pub(super) address_effects: Effects,
    /// The bit of the object accessed.
    pub(super) bit: u128,
    pub(super) writable: bool,
    /// The width, if it is a bit-field.
    pub(super) bits: Option<u32>,
    /// What an integer stays within, if not all values of the type.
    pub(super) range: Option<Range>,
    /// What a pointer here points to.
    pub(super) target: Target,
    /// What a pointer stored here must point to: stricter where other objects may be the real place.
    pub(super) store_target: Target,
    /// Whether other members share the bytes: no NaN is stored here, whose sign would become visible.
    pub(super) in_union: bool,
    pub(super) volatile: bool,
    /// Whether the object is only known through a pointer.
    pub(super) behind_pointer: bool,
    /// Whether a packed record contains it: it may lie where no pointer of its type may point.
    pub(super) packed: bool,
}

impl Lvalue {
    /// The whole variable.
    pub(super) fn of(var: &Var) -> Lvalue {
        Lvalue {
            text: var.name.clone(),
            prec: Prec::Primary,
            ty: var.ty.clone(),
            address_effects: Effects::NONE,
            bit: var.bit,
            writable: var.writable,
            bits: None,
            range: var.range,
            target: var.target,
            store_target: var.target,
            in_union: false,
            volatile: var.volatile,
            behind_pointer: false,
            packed: false,
        }
    }

    /// The values that an integer here may have.
    pub(super) fn int_range(&self) -> Range {
        let kind = self.ty.int_kind().expect("an integer lvalue was expected");
        let limits = self.bits.map_or(kind.range(), |bits| bits_range(bits, kind.signed()));
        self.range.unwrap_or(limits)
    }

    /// The value. Bit-fields have the type that the integer promotions give them (C17 6.3.1.1p2); those
    /// wider than `int`, for which compilers differ, are cast to their declared type.
    pub(super) fn read(&self) -> Expr {
        let mut effects = self.address_effects.and(Effects::reading(self.bit));
        if self.volatile {
            effects = effects.and(Effects::storing(self.bit));
        }
        let (mut text, mut prec, mut ty) = (self.text.clone(), self.prec, self.ty.clone());
        if let (Some(bits), Some(kind)) = (self.bits, self.ty.int_kind()) {
            if bits > 32 {
                (text, prec) = (format!("({}){}", kind.name(), text), Prec::Unary);
            } else {
                let narrow = IntKind::Int.range().contains(bits_range(bits, kind.signed()));
                ty = Type::Int(if narrow { IntKind::Int } else { IntKind::UInt });
            }
        }
        let facts = match &self.ty {
            Type::Int(_) | Type::Enum(..) => Facts::Int(self.int_range()),
            Type::Float(_) => Facts::Float(None),
            Type::Pointer(_) => Facts::Pointer(self.target),
            _ => Facts::Nothing,
        };
        Expr { text, prec, ty, facts, effects }
    }
}

impl Gen<'_> {
    /// A lvalue with a property, if a few tries find one.
    pub(super) fn lvalue(&mut self, wanted: impl Fn(&Lvalue) -> bool) -> Option<Lvalue> {
        if self.mode == Mode::Constant {
            return None;
        }
        for _ in 0..8 {
            let var = self.pick_var(|_| true)?;
            let lvalue = self.walk(Lvalue::of(&var));
            let allowed = !lvalue.volatile || self.mode == Mode::Any;
            if allowed && wanted(&lvalue) {
                return Some(self.refine(lvalue));
            }
        }
        None
    }

    /// The member of a record, as an lvalue.
    pub(super) fn member(&self, record: Lvalue, id: usize, field: usize) -> Lvalue {
        let def = &self.records[id];
        let field = &def.fields[field];
        let target = Target { nullable: field.nullable, ..Target::GLOBAL };
        Lvalue {
            text: format!("{}.{}", parenthesised(&record), field.name),
            prec: Prec::Postfix,
            ty: field.ty.clone(),
            bits: field.bits,
            range: None,
            target,
            store_target: target,
            in_union: record.in_union || def.union,
            packed: record.packed || def.packed,
            ..record
        }
    }

    /// Applies what a surrounding test has found out about a variable.
    fn refine(&self, lvalue: Lvalue) -> Lvalue {
        match self.frame.refined.iter().rev().find(|(name, _)| *name == lvalue.text) {
            Some((_, range)) => Lvalue { range: Some(*range), ..lvalue },
            None => lvalue,
        }
    }

    /// Goes on until a scalar is reached, or sometimes stops at a record or a pointer.
    fn walk(&mut self, start: Lvalue) -> Lvalue {
        let mut place = start;
        for _ in 0..8 {
            let next = match place.ty.clone() {
                Type::Array(element, len) => self.element(place.clone(), &element, len),
                Type::Record(_) if self.rng.chance(10) => return place,
                Type::Record(id) => {
                    let field = self.rng.index(self.records[id].fields.len());
                    self.member(place.clone(), id, field)
                }
                Type::Pointer(to) if !place.target.nullable && self.rng.chance(75) => {
                    self.pointee(place.clone(), &to)
                }
                _ => return place,
            };
            place = next;
        }
        place
    }

    /// An element. An index that may be wrong is written `a[i]`, selects no row, is not a constant and not
    /// behind a pointer, where the last array of a record may be longer than declared: everything else the
    /// sanitizers check less strictly.
    fn element(&mut self, array: Lvalue, element: &Type, len: u64) -> Lvalue {
        let checked = !matches!(element, Type::Array(..)) && !array.behind_pointer;
        if checked && self.leave_unguarded(8) {
            let index = self.beside(array.address_effects, |e: &Expr| e.effects, |g| g.wild_index(len));
            if index.effects.reads != 0 {
                return subscript(array, element, &index);
            }
        }
        let index = self.beside(array.address_effects, |e: &Expr| e.effects, |g| g.index_below(len));
        self.indexed(array, element, &index)
    }

    /// `a[i]`, `*(a + i)` or `i[a]`.
    fn indexed(&mut self, base: Lvalue, element: &Type, index: &Expr) -> Lvalue {
        let array = parenthesised(&base);
        let plain = subscript(base, element, index);
        match self.rng.below(20) {
            0 if !plain.packed => {
                let text = format!("*({array} + {})", index.at(Prec::Multiplicative));
                Lvalue { text, prec: Prec::Unary, ..plain }
            }
            1 => Lvalue { text: format!("{}[{array}]", index.at(Prec::Postfix)), ..plain },
            _ => plain,
        }
    }

    /// `*p`, `p[k]`, or `p->member`.
    pub(super) fn pointee(&mut self, pointer: Lvalue, to: &Type) -> Lvalue {
        let Target { extent, level, .. } = pointer.target;
        let object = Lvalue {
            text: String::new(),
            prec: Prec::Unary,
            ty: to.clone(),
            address_effects: pointer.address_effects.and(Effects::reading(pointer.bit)),
            bit: MEMORY,
            writable: true,
            bits: None,
            range: None,
            target: Target { level, ..Target::GLOBAL },
            store_target: Target::GLOBAL,
            in_union: false,
            volatile: false,
            behind_pointer: true,
            packed: false,
        };
        if extent > 1 && self.rng.chance(70) {
            let before = object.address_effects;
            let base = Lvalue { text: pointer.text, prec: pointer.prec, ..object };
            let index = self.beside(before, |e: &Expr| e.effects, |g| g.index_below(extent));
            return self.indexed(base, to, &index);
        }
        let name = parenthesised(&pointer);
        let (text, prec) = match to {
            Type::Record(_) => (format!("(*{name})"), Prec::Primary),
            _ if self.rng.chance(15) => (format!("{name}[0]"), Prec::Postfix),
            _ => (format!("*{name}"), Prec::Unary),
        };
        let object = Lvalue { text, prec, ..object };
        match to {
            Type::Record(id) if self.rng.chance(90) => self.arrow(object, *id, &name),
            _ => object,
        }
    }

    fn arrow(&mut self, object: Lvalue, id: usize, pointer: &str) -> Lvalue {
        let field = self.rng.index(self.records[id].fields.len());
        let member = self.member(object, id, field);
        Lvalue { text: format!("{pointer}->{}", self.records[id].fields[field].name), ..member }
    }

    /// An integer that is at least 0 and below `len`.
    pub(super) fn index_below(&mut self, len: u64) -> Expr {
        let limits = Range::new(0, i128::from(len) - 1);
        if self.mode == Mode::Constant || self.frame.index_nesting > 1 || self.rng.chance(30) {
            let position = self.rng.below(len);
            return self.literal(position.into());
        }
        let is_counter = |var: &Var| {
            let within = var.range.is_some_and(|range| limits.contains(range));
            var.ty.int_kind().is_some() && within && !var.volatile
        };
        if self.rng.chance(70)
            && let Some(var) = self.pick_var(is_counter)
        {
            return Lvalue::of(&var).read();
        }
        let any = self.index_operand();
        self.masked_index(any, len)
    }

    /// Any integer, without ever more indices inside of indices.
    fn index_operand(&mut self) -> Expr {
        self.frame.index_nesting += 1;
        let depth = u32::from(self.frame.index_nesting == 1);
        let any = self.int_expr(depth);
        self.frame.index_nesting -= 1;
        any
    }

    /// `i % n` or `i & (n - 1)`, in a type that has no negative values where the remainder could.
    fn masked_index(&mut self, any: Expr, len: u64) -> Expr {
        if Range::new(0, i128::from(len) - 1).contains(any.range()) {
            return any;
        }
        if len.is_power_of_two() {
            return self.coerce(any, Range::new(0, i128::from(len) - 1));
        }
        let kind = any.kind().promoted().to_unsigned();
        let text = format!("({}){} % {len}", kind.name(), any.unary_operand());
        Expr::int(text, Prec::Multiplicative, kind, Range::new(0, i128::from(len) - 1), any.effects)
    }

    /// An index that is sometimes a little out of bounds.
    fn wild_index(&mut self, len: u64) -> Expr {
        let any = self.with_mode(Mode::Pure, Self::index_operand);
        let top = i128::from(len) + i128::from(self.rng.between(1, 3));
        let text = format!("(int)((unsigned long){} % {top})", any.unary_operand());
        Expr::int(text, Prec::Unary, IntKind::Int, Range::new(0, i128::from(len) - 1), any.effects)
    }
}

/// `a[i]`.
fn subscript(array: Lvalue, element: &Type, index: &Expr) -> Lvalue {
    Lvalue {
        text: format!("{}[{}]", parenthesised(&array), index.text),
        prec: Prec::Postfix,
        ty: element.clone(),
        address_effects: array.address_effects.and(index.effects),
        ..array
    }
}

/// The lvalue's text as the operand of a postfix operator.
pub fn parenthesised(lvalue: &Lvalue) -> String {
    if lvalue.prec < Prec::Postfix { format!("({})", lvalue.text) } else { lvalue.text.clone() }
}
