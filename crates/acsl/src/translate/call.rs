//! Predicates and logic functions: those of the user are expanded, some of ACSL are known.

use super::{Facts, Meant, Term, Translator, Ty};
use crate::parser::unknown_word;
use crate::problem::{Checked, Problem};
use crate::source::Place;
use crate::tree::{Binary, Definition, Expr, Relation};
use crate::types::{CType, Named, named, range};

impl Translator<'_> {
    pub(super) fn call(&mut self, name: &str, arguments: &[Expr], place: &Place) -> Checked<Term> {
        match (name, arguments) {
            ("\\valid" | "\\valid_read", [one]) => self.valid(one),
            ("\\separated", [_, _, ..]) => self.separated(arguments),
            ("\\abs", [one]) => self.absolute(one),
            ("\\min" | "\\max", [a, b]) => self.extreme(name, a, b),
            ("\\is_NaN", [one]) => {
                let value = self.float(one)?;
                Ok(Term::truth(format!("({0} != {0})", value.text), value.facts))
            }
            ("\\is_finite", [one]) => {
                let value = self.float(one)?;
                Ok(Term::truth(format!("({0} - {0} == 0)", value.text), value.facts))
            }
            (name, _) if name.starts_with('\\') => Err(unknown_word(&name[1..], place)),
            (name, _) => match self.names.definitions.get(name).cloned() {
                Some(definition) => self.expand(&definition, arguments, place),
                None => Err(self.no_predicate(name, place)),
            },
        }
    }

    fn no_predicate(&self, name: &str, place: &Place) -> Problem {
        let problem = Problem::wrong(place, format!("no predicate or logic function is called `{name}`"));
        match self.names.module.functions.iter().any(|own| own.source_name == name) {
            true => problem.hint("functions of C cannot be used in annotations"),
            false => problem,
        }
    }

    /// The body of a definition with the arguments in the places of the parameters.
    pub(super) fn expand(
        &mut self,
        definition: &Definition,
        arguments: &[Expr],
        place: &Place,
    ) -> Checked<Term> {
        let name = &definition.name;
        if self.expanding.contains(name) {
            return Err(Problem::unsupported(place, format!("the recursion of `{name}`")));
        }
        if arguments.len() != definition.parameters.len() {
            let message =
                format!("`{name}` takes {} arguments, not {}", definition.parameters.len(), arguments.len());
            return Err(Problem::wrong(place, message));
        }
        let mut bound = Vec::new();
        for (parameter, argument) in definition.parameters.iter().zip(arguments) {
            let term = self.term(argument)?;
            let (ty, _) = named(self.names, &parameter.ty)?;
            let term = self.passed(term, &ty, &argument.place)?;
            bound.push(Meant { name: parameter.name.clone(), term, moment: self.moment });
        }
        // Nothing but its parameters is known inside.
        let scope = std::mem::replace(&mut self.scope, bound);
        self.expanding.push(name.clone());
        let body = match definition.result {
            None => self.predicate(&definition.body),
            Some(_) => self.term(&definition.body),
        };
        self.expanding.pop();
        self.scope = scope;
        // The place of a problem inside would be another file's, or far away: it is that of the use.
        let body = body.map_err(|problem| Problem {
            message: format!("in `{name}`: {}", problem.message),
            place: place.clone(),
            ..problem
        })?;
        match &definition.result {
            None => Ok(body),
            Some(ty) => {
                let (ty, _) = named(self.names, ty)?;
                self.passed(body, &ty, place)
            }
        }
    }

    /// A value in the place of a parameter of a type. An integer of C in the place of another must fit.
    fn passed(&mut self, term: Term, ty: &Named, place: &Place) -> Checked<Term> {
        let fits = match ty {
            Named::Integer => term.to_integer(),
            Named::Real => return self.as_real(term, place),
            Named::Boolean => term.to_integer().map(|value| {
                let text = format!("({} != 0)", value.text);
                Term::truth(text, value.facts)
            }),
            Named::C(CType::Int { bits, signed }) => {
                let (least, most) = range(*bits, *signed);
                term.to_integer().filter(|value| {
                    let (lo, hi) = value.bounds();
                    least <= lo && hi <= most
                })
            }
            Named::C(CType::Float { .. }) => Some(term.clone()).filter(Term::is_float),
            Named::C(CType::Pointer(_)) => Some(term.clone()).filter(Term::is_pointer),
            Named::C(own) => Some(term.clone()).filter(|term| term.ty == Ty::C(own.clone())),
        };
        fits.ok_or_else(|| {
            let message = format!("{} does not fit the type of the parameter", term.describe());
            Problem::wrong(place, message).hint("a parameter of type `integer` takes all integers")
        })
    }

    fn float(&mut self, expr: &Expr) -> Checked<Term> {
        let term = self.term(expr)?;
        match term.is_float() {
            true => self.as_real(term, &expr.place),
            false => Err(Problem::wrong(&expr.place, format!("expected a float, found {}", term.describe()))),
        }
    }

    fn absolute(&mut self, expr: &Expr) -> Checked<Term> {
        let term = self.term(expr)?;
        if term.is_float() {
            let value = self.as_real(term, &expr.place)?;
            let text = format!("({0} < 0 ? -{0} : {0} + 0.0)", value.text);
            return Ok(Term { text, ..value });
        }
        let value = self.integer(expr)?;
        let (lo, hi) = value.bounds();
        if lo >= 0 {
            return Ok(value);
        }
        let zero = Term::constant(0).expect("zero is small");
        let negative = self.exact(Binary::Sub, &zero, &value);
        let hi = hi.max(negative.bounds().1);
        let ty = super::term::carrier(0, hi);
        let text = format!("({0} < 0 ? ({ty})({1}) : ({ty})({0}))", value.text, negative.text);
        Ok(Term::integer(text, 0, hi, value.facts))
    }

    fn extreme(&mut self, name: &str, a: &Expr, b: &Expr) -> Checked<Term> {
        let (first, second) = (self.term(a)?, self.term(b)?);
        let relation = if name == "\\min" { Relation::LessEqual } else { Relation::GreaterEqual };
        let facts = Facts::both(&first, &second);
        if first.is_float() || second.is_float() {
            let (x, y) = (self.as_real(first, &a.place)?, self.as_real(second, &b.place)?);
            let text = format!("({x} {} {y} ? {x} : {y})", relation.text(), x = x.text, y = y.text);
            return Ok(Term { text, ty: Ty::Real, facts });
        }
        let (x, y) = (self.integer(a)?, self.integer(b)?);
        let ((x_lo, x_hi), (y_lo, y_hi)) = (x.bounds(), y.bounds());
        let (lo, hi) = match name {
            "\\min" => (x_lo.min(y_lo), x_hi.min(y_hi)),
            _ => (x_lo.max(y_lo), x_hi.max(y_hi)),
        };
        let test = self.compare_integers(relation, &x, &y);
        let ty = super::term::carrier(lo, hi);
        let text = format!("({test} ? ({ty})({}) : ({ty})({}))", x.text, y.text);
        Ok(Term::integer(text, lo, hi, facts))
    }
}
