//! Quantifiers over ranges, as loops.

use std::collections::BTreeSet;

use super::term::{SIGNED, carrier};
use super::{Facts, Meant, Running, Term, Translator};
use crate::problem::{Checked, Problem};
use crate::source::Place;
use crate::tree::{Binary, Binder, Expr, ExprKind, Logic, Quantifier, Relation};
use crate::types::{CType, Named, named, range};

/// `a < b` or `a <= b`.
#[derive(Clone)]
struct Order<'e> {
    less: &'e Expr,
    more: &'e Expr,
    strict: bool,
}

/// A variable with the range over which it runs.
struct Bounded<'e> {
    binder: &'e Binder,
    from: Expr,
    to: Order<'e>,
}

impl Translator<'_> {
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[Binder],
        body: &Expr,
        place: &Place,
    ) -> Checked<Term> {
        let orders = orders(quantifier, body);
        let mut rest: Vec<&Binder> = binders.iter().collect();
        let mut bounded = Vec::new();
        while !rest.is_empty() {
            let found = rest.iter().position(|binder| self.range_of(binder, &rest, &orders).is_some());
            let Some(n) = found else { return Err(unbounded(quantifier, rest[0], place)) };
            let range = self.range_of(rest[n], &rest, &orders).expect("just found");
            bounded.push(range);
            rest.remove(n);
        }
        self.looped(quantifier, &bounded, body)
    }

    /// The range of a variable by terms without variables that have none yet.
    fn range_of<'e>(
        &self,
        binder: &'e Binder,
        open: &[&Binder],
        orders: &[Order<'e>],
    ) -> Option<Bounded<'e>> {
        let is_variable = |expr: &Expr| expr.kind == ExprKind::Name(binder.name.clone());
        let is_closed = |expr: &Expr| {
            let mut names = BTreeSet::new();
            collect_names(expr, &mut names);
            !open.iter().any(|binder| names.contains(&binder.name))
        };
        let to = orders.iter().find(|order| is_variable(order.less) && is_closed(order.more))?.clone();
        let from = orders.iter().find(|order| is_variable(order.more) && is_closed(order.less));
        let from = match from {
            Some(Order { less, strict: true, .. }) => {
                let one = Expr { kind: ExprKind::Int(1), place: less.place.clone() };
                let kind = ExprKind::Binary(Binary::Add, Box::new((*less).clone()), Box::new(one));
                Expr { kind, place: less.place.clone() }
            }
            Some(order) => order.less.clone(),
            // Values of an unsigned type start at zero.
            None => {
                let (ty, _) = named(self.names, &binder.ty).ok()?;
                let Named::C(CType::Int { signed: false, .. }) = ty else { return None };
                Expr { kind: ExprKind::Int(0), place: binder.place.clone() }
            }
        };
        Some(Bounded { binder, from, to })
    }

    fn looped(&mut self, quantifier: Quantifier, ranges: &[Bounded<'_>], body: &Expr) -> Checked<Term> {
        let Some((first, rest)) = ranges.split_first() else { return self.predicate(body) };
        let limits = self.variable_limits(first.binder)?;
        let from = self.integer(&first.from)?;
        if !super::term::fits_signed(from.bounds().0, from.bounds().1) {
            return Err(Problem::unsupported(
                &first.from.place,
                "a range that starts at an unsigned 64-bit value",
            ));
        }
        let to = self.integer(first.to.more)?;
        let (variable, end) = (self.name("i"), self.name("n"));
        let (to_lo, to_hi) = to.bounds();
        let mut setup = format!("{} {end} = {};", carrier(to_lo, to_hi), to.text);
        // Behind the largest value there is no next one.
        let last = if first.to.strict { SIGNED.1 } else { SIGNED.1 - 1 };
        if to_hi > last {
            let limit = Term::constant(last).expect("it has 64 bits");
            let own = Term::integer(end.clone(), to_lo, to_hi, Facts::constant());
            let fits = self.compare_integers(Relation::LessEqual, &own, &limit);
            setup.push_str(&self.check(&fits));
        }
        let hi = (if first.to.strict { to_hi - 1 } else { to_hi }).min(SIGNED.1);
        let lo = from.bounds().0;
        let facts = Facts { bound: BTreeSet::from([variable.clone()]), ..Facts::constant() };
        let value = Term::integer(variable.clone(), lo, hi.max(lo), facts);
        let relation = if first.to.strict { Relation::Less } else { Relation::LessEqual };
        let ending = Term::integer(end, to_lo, to_hi, to.facts.clone());
        let condition = self.compare_integers(relation, &value, &ending);
        let condition = Term::truth(condition, Facts::both(&value, &ending));

        let running = Running {
            variable: variable.clone(),
            from: from.clone(),
            condition: condition.clone(),
            setup: setup.clone(),
        };
        self.running.push(running);
        self.scope.push(Meant { name: first.binder.name.clone(), term: value, moment: self.moment });
        let inner = self.looped(quantifier, rest, body);
        self.scope.pop();
        self.running.pop();
        let inner = inner?;
        if quantifier == Quantifier::Exists {
            super::total(&inner, body)?;
        }

        let outside = outside(&variable, (lo, hi), limits);
        let (start, found, test) = match quantifier {
            Quantifier::ForAll => (1, 0, format!("!({outside}{})", inner.text)),
            Quantifier::Exists => (0, 1, format!("{}{}", outside.replace("||", "?0:"), inner.text)),
        };
        let truth = self.name("q");
        let text = format!(
            "__extension__ ({{ int {truth} = {start}; {setup} for (long long {variable} = {}; {}; {variable}++) \
             if ({test}) {{ {truth} = {found}; break; }} {truth}; }})",
            from.text, condition.text
        );
        let mut facts = Facts::of([&from.facts, &to.facts, &inner.facts]);
        facts.bound.remove(&variable);
        Ok(Term::truth(text, facts))
    }

    /// The values that a variable can have by its type.
    fn variable_limits(&self, binder: &Binder) -> Checked<Option<(i128, i128)>> {
        match named(self.names, &binder.ty)?.0 {
            Named::Integer => Ok(None),
            Named::C(CType::Int { bits, signed }) => Ok(Some(range(bits, signed))),
            _ => Err(Problem::unsupported(&binder.ty.place, "a quantifier over anything but integers")),
        }
    }
}

/// A test that a value is none of its type, with `||` behind it; nothing if all values of the loop are.
fn outside(variable: &str, (lo, hi): (i128, i128), limits: Option<(i128, i128)>) -> String {
    let Some((least, most)) = limits else { return String::new() };
    let mut tests = Vec::new();
    if lo < least {
        tests.extend(Term::constant(least).map(|limit| format!("{variable} < {}", limit.text)));
    }
    if hi > most {
        tests.extend(Term::constant(most).map(|limit| format!("{variable} > {}", limit.text)));
    }
    if tests.is_empty() { String::new() } else { format!("({}) || ", tests.join(" | ")) }
}

fn unbounded(quantifier: Quantifier, binder: &Binder, place: &Place) -> Problem {
    let name = &binder.name;
    let hint = match quantifier {
        Quantifier::ForAll => format!("write `\\forall integer {name}; 0 <= {name} < n ==> ...`"),
        Quantifier::Exists => format!("write `\\exists integer {name}; 0 <= {name} < n && ...`"),
    };
    Problem::wrong(place, format!("the range of `{name}` is not given by the quantified predicate"))
        .hint(hint)
}

/// The orders that hold wherever the body matters: the hypotheses of a `\forall`, the conjuncts of an `\exists`.
fn orders(quantifier: Quantifier, body: &Expr) -> Vec<Order<'_>> {
    let mut found = Vec::new();
    match (quantifier, &body.kind) {
        (Quantifier::ForAll, ExprKind::Logic(Logic::Implies, hypothesis, rest)) => {
            conjuncts(hypothesis, &mut found);
            found.extend(orders(quantifier, rest));
        }
        (Quantifier::ForAll, _) => {}
        (Quantifier::Exists, _) => conjuncts(body, &mut found),
    }
    found
}

fn conjuncts<'e>(expr: &'e Expr, found: &mut Vec<Order<'e>>) {
    match &expr.kind {
        ExprKind::Logic(Logic::And, left, right) => {
            conjuncts(left, found);
            conjuncts(right, found);
        }
        ExprKind::Compare(relations, operands) => {
            for from in 0..relations.len() {
                for to in from..relations.len() {
                    chained(&relations[from..=to], &operands[from], &operands[to + 1], found);
                }
            }
        }
        _ => {}
    }
}

/// The order between the ends of a chain of comparisons.
fn chained<'e>(relations: &[Relation], first: &'e Expr, last: &'e Expr, found: &mut Vec<Order<'e>>) {
    let all = |known: [Relation; 2]| relations.iter().all(|relation| known.contains(relation));
    if all([Relation::Less, Relation::LessEqual]) {
        found.push(Order { less: first, more: last, strict: relations.contains(&Relation::Less) });
    } else if all([Relation::Greater, Relation::GreaterEqual]) {
        found.push(Order { less: last, more: first, strict: relations.contains(&Relation::Greater) });
    } else if all([Relation::Equal, Relation::Equal]) {
        found.push(Order { less: first, more: last, strict: false });
        found.push(Order { less: last, more: first, strict: false });
    }
}

/// All names in an expression.
pub(crate) fn collect_names(expr: &Expr, names: &mut BTreeSet<String>) {
    match &expr.kind {
        ExprKind::Name(name) => {
            names.insert(name.clone());
        }
        ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Truth(_)
        | ExprKind::Null
        | ExprKind::Result
        | ExprKind::SizeofType(_) => {}
        ExprKind::Unary(_, a)
        | ExprKind::Not(a)
        | ExprKind::At(a, _)
        | ExprKind::Member(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Cast(_, a)
        | ExprKind::SizeofExpr(a)
        | ExprKind::Quantified(_, _, a) => collect_names(a, names),
        ExprKind::Binary(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::Index(a, b)
        | ExprKind::Let(_, a, b) => {
            collect_names(a, names);
            collect_names(b, names);
        }
        ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|one| collect_names(one, names)),
        ExprKind::Compare(_, all) | ExprKind::Call(_, all) => {
            all.iter().for_each(|one| collect_names(one, names));
        }
        ExprKind::Range(from, to) => {
            from.iter().chain(to).for_each(|one| collect_names(one, names));
        }
    }
}
