//! Values of the state before the call, which are kept until they are asked for.

use super::term::{Facts, carrier};
use super::{Moment, Term, Translator, Ty};
use crate::problem::{Checked, Problem};
use crate::source::Place;
use crate::tree::Expr;

/// How many values of a quantified term are kept. No input array is longer.
const KEPT: u32 = 1 << 16;

impl Translator<'_> {
    /// `\at(e, label)`.
    pub(super) fn at(&mut self, inner: &Expr, label: &str, place: &Place) -> Checked<Term> {
        match (label, self.moment) {
            ("Here", _) | ("Post", Moment::After) | ("Pre", Moment::Before) => self.term(inner),
            ("Old", Moment::After) | ("Pre", _) => self.before(inner, place),
            ("Old", Moment::Before) => Err(Problem::wrong(place, "`\\old` has a meaning only in `ensures`")),
            ("Old", Moment::Inside(_)) => {
                Err(Problem::wrong(place, "`\\old` has a meaning only in `ensures`")
                    .hint("`\\at(e, Pre)` is the value at the start of the function"))
            }
            _ => Err(Problem::unsupported(place, format!("the label `{label}`"))
                .hint("known are Here, Pre, Old and Post")),
        }
    }

    /// A value as it was when the function was called.
    fn before(&mut self, inner: &Expr, place: &Place) -> Checked<Term> {
        let now = self.moment;
        self.moment = Moment::Before;
        let guards = std::mem::take(&mut self.guards);
        let term = self.term(inner);
        self.guards = guards;
        self.moment = now;
        let term = term?;
        super::total(&term, inner)?;
        if term.facts.steady && now == Moment::After {
            return Ok(term);
        }
        let term = term.to_integer().filter(|_| term.ty != Ty::Truth).unwrap_or(term);
        let kept = match &term.ty {
            Ty::Integer { lo, hi } => carrier(*lo, *hi),
            Ty::Truth => "int",
            Ty::Real => "double",
            Ty::C(_) if term.is_float() => "double",
            Ty::C(_) if term.is_pointer() => "void *",
            Ty::C(ty) => {
                return Err(Problem::unsupported(place, format!("keeping {}", ty.describe()))
                    .hint("its members can be kept, one by one"));
            }
        };
        match term.facts.bound.len() {
            0 => Ok(self.keep_one(&term, kept)),
            _ => self.keep_many(&term, kept, place),
        }
    }

    /// What holds in the state before the call where a term is evaluated.
    fn known_before(&self, variable: Option<&str>) -> String {
        let known = self.guards.iter().filter(|guard| {
            guard.facts.steady && guard.facts.bound.iter().all(|name| Some(name.as_str()) == variable)
        });
        let texts: Vec<&str> = known.map(|guard| guard.text.as_str()).collect();
        if texts.is_empty() { "1".to_string() } else { texts.join(" && ") }
    }

    fn keep_one(&mut self, term: &Term, kept: &str) -> Term {
        let name = self.name("old");
        let known = self.known_before(None);
        let value = if known == "1" { term.text.clone() } else { format!("({known}) ? {} : 0", term.text) };
        self.made.snapshots.push(format!("{kept} {name} = {value};"));
        self.kept(term, name, Facts::unsteady())
    }

    /// The values of a term for all values of a variable.
    fn keep_many(&mut self, term: &Term, kept: &str, place: &Place) -> Checked<Term> {
        let unsupported = || {
            Problem::unsupported(
                place,
                "keeping values that depend on several variables, or on more than parameters",
            )
        };
        let variable = term.facts.bound.iter().next().expect("there is a variable").clone();
        let running = self.running.iter().rfind(|running| running.variable == variable).cloned();
        let running = running.filter(|running| {
            let is_known =
                |one: &Term| one.facts.steady && one.facts.bound.iter().all(|name| *name == variable);
            is_known(&running.from) && is_known(&running.condition)
        });
        let Some(running) = running.filter(|_| term.facts.bound.len() == 1) else {
            return Err(unsupported());
        };
        let (name, known) = (self.name("old"), self.known_before(Some(&variable)));
        let (from, setup, condition) = (&running.from.text, &running.setup, &running.condition.text);
        self.made.snapshots.push(format!(
            "{kept} {name}[{KEPT}]; long long {name}_from = {from}; {{ {setup} \
             for (long long {variable} = {name}_from; {condition} && {variable} - {name}_from < {KEPT}; {variable}++) \
             {name}[{variable} - {name}_from] = ({known}) ? {} : 0; }}",
            term.text
        ));
        let check = self.check(&format!("{variable} - {name}_from < {KEPT}"));
        let text = format!("__extension__ ({{ {check} {name}[{variable} - {name}_from]; }})");
        Ok(self.kept(term, text, Facts { steady: false, ..term.facts.clone() }))
    }

    /// A kept value with the type that it had.
    fn kept(&mut self, term: &Term, text: String, facts: Facts) -> Term {
        match &term.ty {
            Ty::C(_) if term.is_float() => Term { text, ty: Ty::Real, facts },
            Ty::C(_) => Term {
                text: format!("((__typeof__(({}) + 0)){text})", term.text),
                ty: term.ty.clone(),
                facts,
            },
            ty => Term { text, ty: ty.clone(), facts },
        }
    }
}
