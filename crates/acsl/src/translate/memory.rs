//! Terms that read memory, and predicates about it.

use super::term::SIGNED;
use super::{Facts, Term, Translator, Ty};
use crate::problem::{Checked, Problem};
use crate::source::Place;
use crate::tree::{Binary, Expr, ExprKind, Relation, TypeName, Unary};
use crate::types::{CType, Named, member, named, range};

/// Some elements behind a pointer.
struct Location {
    pointer: Term,
    /// The first and the last element; one element if there is none.
    range: Option<(Term, Term)>,
}

impl Translator<'_> {
    pub(super) fn dereference(&mut self, operand: &Expr) -> Checked<Term> {
        let term = self.term(operand)?;
        let ty = element(&term, &operand.place)?;
        let facts = Facts { steady: false, ..term.facts };
        Ok(Term { text: format!("(*({}))", term.text), ty: Ty::C(ty), facts })
    }

    pub(super) fn address(&mut self, operand: &Expr) -> Checked<Term> {
        let term = self.term(operand)?;
        let is_place = matches!(
            operand.kind,
            ExprKind::Name(_)
                | ExprKind::Unary(Unary::Deref, _)
                | ExprKind::Index(..)
                | ExprKind::Member(..)
                | ExprKind::Arrow(..)
        );
        match term.ty {
            Ty::C(ty) if is_place => {
                let facts = Facts { steady: false, ..term.facts };
                Ok(Term { text: format!("(&{})", term.text), ty: Ty::C(CType::Pointer(Box::new(ty))), facts })
            }
            _ => Err(Problem::wrong(&operand.place, "only what stands in memory has an address")),
        }
    }

    pub(super) fn index(&mut self, base: &Expr, index: &Expr) -> Checked<Term> {
        let array = self.term(base)?;
        let ty = element(&array, &base.place)?;
        let index = self.integer(index)?;
        let facts = Facts { steady: false, ..Facts::both(&array, &index) };
        Ok(Term { text: format!("({}[{}])", array.text, index.text), ty: Ty::C(ty), facts })
    }

    pub(super) fn member(&mut self, base: &Expr, name: &str, place: &Place) -> Checked<Term> {
        let record = self.term(base)?;
        let Ty::C(CType::Record(id)) = record.ty else {
            return Err(Problem::wrong(
                &base.place,
                format!("expected a struct, found {}", record.describe()),
            ));
        };
        let ty = self.member_type(id, name, place)?;
        Ok(Term { text: format!("({}.{name})", record.text), ty: Ty::C(ty), facts: record.facts })
    }

    pub(super) fn arrow(&mut self, base: &Expr, name: &str, place: &Place) -> Checked<Term> {
        let pointer = self.term(base)?;
        let CType::Record(id) = element(&pointer, &base.place)? else {
            return Err(Problem::wrong(&base.place, "expected a pointer to a struct"));
        };
        let ty = self.member_type(id, name, place)?;
        let facts = Facts { steady: false, ..pointer.facts };
        Ok(Term { text: format!("(({})->{name})", pointer.text), ty: Ty::C(ty), facts })
    }

    fn member_type(&self, record: quipu_ir::TypeId, name: &str, place: &Place) -> Checked<CType> {
        member(self.names.module, record, name)
            .ok_or_else(|| Problem::wrong(place, format!("the struct has no member `{name}`")))
    }

    pub(super) fn cast(&mut self, ty: &TypeName, operand: &Expr, place: &Place) -> Checked<Term> {
        let term = self.term(operand)?;
        let (to, text) = named(self.names, ty)?;
        match to {
            Named::Integer => term.to_integer().ok_or_else(|| {
                Problem::unsupported(place, format!("making an integer of {}", term.describe()))
            }),
            Named::Real => self.as_real(term, &operand.place),
            Named::Boolean => super::as_truth(term, &operand.place),
            Named::C(CType::Int { bits, signed }) => {
                let Some(value) = term.to_integer() else {
                    return Err(Problem::unsupported(
                        place,
                        format!("making an integer of {}", term.describe()),
                    ));
                };
                let (lo, hi) = value.bounds();
                let (least, most) = range(bits, signed);
                // A value that fits is left alone; others are taken modulo the type's size, by C too.
                if least <= lo && hi <= most {
                    return Ok(value);
                }
                let c = Term {
                    text: format!("(({text})({}))", value.text),
                    ty: Ty::C(CType::Int { bits, signed }),
                    facts: value.facts,
                };
                Ok(c.to_integer().expect("an integer of C is one"))
            }
            Named::C(CType::Float { bits }) => {
                let real = self.as_real(term, &operand.place)?;
                if bits == 32 {
                    self.made.rounded.push(place.clone());
                }
                Ok(Term { text: format!("((double)(({text})({})))", real.text), ..real })
            }
            Named::C(pointer @ CType::Pointer(_)) if term.is_pointer() => {
                Ok(Term { text: format!("(({text})({}))", term.text), ty: Ty::C(pointer), facts: term.facts })
            }
            Named::C(_) => Err(Problem::unsupported(place, format!("this cast of {}", term.describe()))),
        }
    }

    pub(super) fn size_of_type(&mut self, ty: &TypeName) -> Checked<Term> {
        let (to, text) = named(self.names, ty)?;
        match to {
            Named::C(CType::Void | CType::Other) | Named::Integer | Named::Real | Named::Boolean => {
                Err(Problem::wrong(&ty.place, "this type has no size"))
            }
            Named::C(_) => Ok(size(&text)),
        }
    }

    pub(super) fn size_of(&mut self, operand: &Expr) -> Checked<Term> {
        let term = self.term(operand)?;
        match term.ty {
            Ty::C(_) => Ok(size(&term.text)),
            _ => Err(Problem::wrong(&operand.place, "only values of C have a size")),
        }
    }

    /// `\valid(p)`, `\valid(p + (0 .. n))`: that all bytes can be accessed. Bytes outside of an object cannot be copied
    /// without undefined behaviour, which ends the evaluation.
    pub(super) fn valid(&mut self, argument: &Expr) -> Checked<Term> {
        let location = self.location(argument)?;
        let pointer = &location.pointer;
        let touch = |from: &str, to: &str, name: &str| {
            let p = &pointer.text;
            format!(
                "((void *)({p}) != (void *)0 && __extension__ ({{ char {name}; \
                 __builtin_memcpy(&{name}, (char *)(({p}) + {from}), 1); \
                 __builtin_memcpy(&{name}, (char *)(({p}) + {to}) + (sizeof(*({p})) - 1), 1); 1; }}))"
            )
        };
        let byte = self.name("t");
        let (text, facts) = match &location.range {
            None => (touch("0", "0", &byte), pointer.facts.clone()),
            Some((from, to)) => {
                let empty = self.compare_integers(Relation::Greater, from, to);
                let all = touch(&from.text, &to.text, &byte);
                (format!("({empty} || {all})"), Facts::of([&pointer.facts, &from.facts, &to.facts]))
            }
        };
        Ok(Term::truth(text, Facts { steady: false, partial: true, ..facts }))
    }

    /// `\separated(p, q + (0 .. n))`: that no two of them share a byte.
    pub(super) fn separated(&mut self, arguments: &[Expr]) -> Checked<Term> {
        let locations =
            arguments.iter().map(|argument| self.location(argument)).collect::<Checked<Vec<Location>>>()?;
        let mut texts = Vec::new();
        for (n, one) in locations.iter().enumerate() {
            for other in &locations[n + 1..] {
                let ((a, a_end, a_empty), (b, b_end, b_empty)) = (self.extent(one), self.extent(other));
                texts.push(format!("({a_empty} || {b_empty} || {a_end} <= {b} || {b_end} <= {a})"));
            }
        }
        let parts = locations.iter().flat_map(|location| {
            let bounds = location.range.iter().flat_map(|(from, to)| [&from.facts, &to.facts]);
            std::iter::once(&location.pointer.facts).chain(bounds)
        });
        let facts = Facts { steady: false, ..Facts::of(parts) };
        let text = if texts.is_empty() { "1".to_string() } else { texts.join(" && ") };
        Ok(Term::truth(format!("({text})"), facts))
    }

    /// The address of the first byte, that behind the last, and whether there is none, as C.
    fn extent(&mut self, location: &Location) -> (String, String, String) {
        let p = &location.pointer.text;
        let address = |by: &str| format!("(unsigned long)(({p}) + {by})");
        match &location.range {
            None => (address("0"), format!("({} + sizeof(*({p})))", address("0")), "0".to_string()),
            Some((from, to)) => {
                let empty = self.compare_integers(Relation::Greater, from, to);
                (address(&from.text), format!("({} + sizeof(*({p})))", address(&to.text)), empty)
            }
        }
    }

    fn location(&mut self, argument: &Expr) -> Checked<Location> {
        let (base, range) = match &argument.kind {
            ExprKind::Binary(Binary::Add, base, index) => match &index.kind {
                ExprKind::Range(from, to) => (&**base, Some((from, to, index))),
                _ => (argument, None),
            },
            ExprKind::Unary(Unary::Address, operand) => match &operand.kind {
                ExprKind::Index(base, index) => match &index.kind {
                    ExprKind::Range(from, to) => (&**base, Some((from, to, index))),
                    _ => (argument, None),
                },
                _ => (argument, None),
            },
            _ => (argument, None),
        };
        let pointer = self.term(base)?;
        let to = element(&pointer, &base.place)?;
        if matches!(to, CType::Other) {
            return Err(Problem::unsupported(&base.place, "a pointer to a function or to an unusual type"));
        }
        let Some((from, to, place)) = range else { return Ok(Location { pointer, range: None }) };
        let (Some(from), Some(to)) = (from, to) else {
            return Err(Problem::unsupported(&place.place, "a range without an end"));
        };
        let (from, to) = (self.integer(from)?, self.integer(to)?);
        Ok(Location { pointer, range: Some((from, to)) })
    }
}

/// What a pointer or an array leads to.
fn element(term: &Term, place: &Place) -> Checked<CType> {
    match &term.ty {
        Ty::C(ty) => ty.element().cloned(),
        _ => None,
    }
    .ok_or_else(|| Problem::wrong(place, format!("expected a pointer, found {}", term.describe())))
}

fn size(text: &str) -> Term {
    Term::integer(format!("((long long)sizeof({text}))"), 0, SIGNED.1 >> 16, Facts::constant())
}
