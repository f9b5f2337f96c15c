//! Models as linear systems.
//!
//! Every term that takes part becomes a quantity: a linear form over columns whose value, in each solution that lies in the
//! domains, is the number that the term is. An operation that is linear and cannot wrap adds nothing but a form; others add
//! a column and rows. A row that cannot be stated exactly is stated weaker, or left out.
//!
//! What is sound rests on one promise: with the quantities of a solution in the columns (and suitable numbers in those that
//! stand for products, quotients and turns) every row holds. `tests/relaxations.rs` asks it of all solutions of random
//! models.

mod float;
mod integer;
mod logic;
mod product;
mod view;

use quipu_domain::{Domain, Interval};
use quipu_model::{Model, Node, Reading, Term};
use quipu_num::{FloatFn, FloatWidth, Width};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::form::{Column, Form};
use crate::round::Range;
use crate::system::System;

pub use view::View;

/// Turns around the circle that are worth a column.
const MOST_TURNS: f64 = 65_536.0;
/// A longer form gets a column.
const MOST_PARTS: usize = 12;

/// A linear system, and what its columns have to do with a model.
pub struct Relaxation<'a> {
    model: &'a Model,
    domain: &'a dyn Fn(Term) -> Domain,
    pub(crate) system: System,
    /// Whether a column stands for an integer.
    whole: Vec<bool>,
    quantities: FxHashMap<(Term, View), Form>,
    floats: FxHashMap<Term, FloatWidth>,
    products: FxHashMap<(Column, Column), Column>,
    named: Vec<(Form, Column)>,
    differences: Vec<Difference>,
    /// Numbers of which the first is surely less than the second, by this much at least.
    orders: Vec<(Form, Form, f64)>,
}

/// Two numbers that are surely different: by `gap` at least, one way or the other.
#[derive(Clone, Debug)]
pub struct Difference {
    pub form: Form,
    pub gap: f64,
}

impl<'a> Relaxation<'a> {
    /// The relaxation of the terms below `roots`, within domains; none if there are more than `most`.
    pub fn new(
        model: &'a Model,
        domain: &'a dyn Fn(Term) -> Domain,
        roots: &[Term],
        most: usize,
    ) -> Option<Relaxation<'a>> {
        let terms = needed(model, domain, roots, most)?;
        let floats = float_terms(model, &terms);
        let mut relaxation = Relaxation {
            model,
            domain,
            system: System::default(),
            whole: Vec::new(),
            quantities: FxHashMap::default(),
            floats,
            products: FxHashMap::default(),
            named: Vec::new(),
            differences: Vec::new(),
            orders: Vec::new(),
        };
        // Operands are older than the terms that use them.
        terms.into_iter().for_each(|term| relaxation.define(term));
        relaxation.compare_squares();
        Some(relaxation)
    }

    pub fn system(&self) -> &System {
        &self.system
    }

    /// Numbers that are not zero, which no row can say.
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// How a term is read.
    pub fn view(&self, term: Term) -> View {
        match self.floats.get(&term) {
            Some(&format) => View::Value(format),
            None => View::natural(self.model.width(term), (self.domain)(term)),
        }
    }

    /// What a term is in the system, if it takes part as a number.
    pub fn quantity(&self, term: Term) -> Option<&Form> {
        self.quantities.get(&(term, self.view(term)))
    }

    /// The values that a term can have if its number lies in a range.
    pub fn arc(&self, term: Term, range: Range) -> Option<Interval> {
        self.view(term).arc(self.model.width(term), range)
    }

    // Terms.

    fn define(&mut self, term: Term) {
        let (w, view) = (self.model.width(term), self.view(term));
        let Some(range) = view.range(w, (self.domain)(term)) else { return };
        let model = self.model;
        let is_float = matches!(view, View::Value(_));
        let form = match model.node(term) {
            Node::Const(_) | Node::Var(_) | Node::Call(..) | Node::Unary(..) | Node::Element(..) => None,
            // The rank of a float as an integer: nothing linear is known about its value.
            Node::Op(..) | Node::Sum(..) | Node::Not(_) if is_float => None,
            Node::Op(op, a, b) => self.operation(term, *op, *a, *b),
            Node::Sum(constant, parts) => self.sum(term, *constant, parts),
            Node::Not(a) => self.complement(term, *a),
            Node::Compare(cmp, a, b) => self.comparison(term, *cmp, *a, *b),
            Node::Guard(guard, a, b) => self.guard(term, *guard, *a, *b),
            Node::Cast(cast, a) => self.conversion(term, *cast, *a),
            Node::Float(function, format, items) => self.float_function(term, *function, *format, items),
            Node::Select(condition, a, b) => self.choice(term, *condition, *a, *b),
            Node::All(items) => self.conjunction(term, items),
            Node::Any(items) => self.disjunction(term, items),
        };
        let form = match form {
            // It has a quantity, and its rows speak of it.
            None if self.quantities.contains_key(&(term, view)) => return,
            None => self.fresh(range, self.is_whole(view)),
            Some(form) => {
                self.demand(&[(1.0, &form)], range);
                form
            }
        };
        self.quantities.insert((term, view), form);
    }

    /// The quantity of a term about which rows are to be said: a column of its own, or its number.
    fn own(&mut self, term: Term) -> Option<Form> {
        let view = self.view(term);
        if let Some(form) = self.quantities.get(&(term, view)) {
            return Some(form.clone());
        }
        let range = view.range(self.model.width(term), (self.domain)(term))?;
        let form = self.fresh(range, self.is_whole(view));
        self.quantities.insert((term, view), form.clone());
        Some(form)
    }

    /// The number that an integer term is in a given reading.
    fn read(&mut self, term: Term, view: View) -> Option<Form> {
        let (w, domain) = (self.model.width(term), (self.domain)(term));
        if self.floats.contains_key(&term) {
            return None;
        }
        if let Some(form) = self.quantities.get(&(term, view)) {
            return Some(form.clone());
        }
        let natural = self.own(term)?;
        let range = view.range(w, domain)?;
        let known = self.view(term).range(w, domain)?;
        let form = self.congruent(&natural, known, range, w);
        let form = match form {
            Some(form) => form,
            None => self.fresh(range, true),
        };
        self.quantities.insert((term, view), form.clone());
        Some(form)
    }

    fn is_whole(&self, view: View) -> bool {
        !matches!(view, View::Value(_))
    }

    /// A column for a range, or the number that it is.
    fn fresh(&mut self, range: Range, whole: bool) -> Form {
        if range.is_point() { Form::constant(range.lo) } else { Form::column(self.add_column(range, whole)) }
    }

    fn add_column(&mut self, range: Range, whole: bool) -> Column {
        self.whole.push(whole);
        self.system.add_column(range)
    }

    /// A column that is a form.
    fn column_of(&mut self, form: &Form) -> Column {
        if let [(column, 1.0)] = form.parts[..]
            && form.constant == 0.0
        {
            return column;
        }
        if let Some((_, column)) = self.named.iter().find(|(named, _)| named == form) {
            return *column;
        }
        let whole = form.parts.iter().all(|&(column, c)| self.whole[index(column)] && c.fract() == 0.0)
            && form.constant.fract() == 0.0;
        let column = self.add_column(self.system.range(form), whole);
        self.demand(&[(1.0, &Form::column(column)), (-1.0, form)], Range::ZERO);
        self.named.push((form.clone(), column));
        column
    }

    /// The form, or a column in its place if it is long.
    fn shortened(&mut self, form: Form) -> Form {
        if form.parts.len() > MOST_PARTS { Form::column(self.column_of(&form)) } else { form }
    }

    // Rows.

    /// Notes that a number is less than another if a truth value is surely true.
    fn less_if(&mut self, truth: &Form, a: &Form, b: &Form, gap: f64) {
        if truth.is_constant() == Some(1.0) {
            self.orders.push((a.clone(), b.clone(), gap));
        }
    }

    /// Notes that two numbers differ if a truth value is surely true.
    fn differ_if(&mut self, truth: &Form, a: &Form, b: &Form, gap: f64) {
        if truth.is_constant() == Some(1.0)
            && let Some(form) = a.minus(b)
        {
            self.differences.push(Difference { form, gap });
        }
    }

    /// Demands that a sum of multiples of forms lies in a range. It is left out if a coefficient would not be exact.
    fn demand(&mut self, sum: &[(f64, &Form)], range: Range) {
        let Some((form, constant)) = combined(sum) else { return };
        self.system.demand(&form, range.minus(constant));
    }

    /// Demands that a sum of multiples of forms lies in a range where a truth value is true.
    fn demand_if(&mut self, truth: &Form, sum: &[(f64, &Form)], range: Range) {
        if let Some(known) = truth.is_constant() {
            if known == 1.0 {
                self.demand(sum, range);
            }
            return;
        }
        let Some((form, constant)) = combined(sum) else { return };
        let known = self.system.range(&form).plus(constant);
        // Where the truth value is 0, the sum may go to the ends of what is known.
        let excess = Range::new(range.lo, range.lo).minus(Range::new(known.lo, known.lo)).hi;
        if excess > 0.0 && excess.is_finite() {
            let bound = Range::new(range.lo, f64::INFINITY).minus(Range::new(excess, excess));
            self.demand_with(&form, constant, -excess, truth, Range::new(bound.lo, f64::INFINITY));
        }
        let excess = Range::new(known.hi, known.hi).minus(Range::new(range.hi, range.hi)).hi;
        if excess > 0.0 && excess.is_finite() {
            let bound = Range::new(f64::NEG_INFINITY, range.hi).plus(Range::new(excess, excess));
            self.demand_with(&form, constant, excess, truth, Range::new(f64::NEG_INFINITY, bound.hi));
        }
    }

    fn demand_with(&mut self, form: &Form, constant: Range, factor: f64, truth: &Form, range: Range) {
        let Some((sum, more)) = combined(&[(1.0, form), (factor, truth)]) else { return };
        self.system.demand(&sum, range.minus(constant).minus(more));
    }

    /// A form that is congruent to another, modulo the circle of a width, and lies in a range that says which one it is;
    /// none if there are too many turns between them. `known` is what the other is known to lie in.
    fn congruent(&mut self, raw: &Form, known: Range, range: Range, w: Width) -> Option<Form> {
        let circle = f64::exp2(f64::from(w.bits()));
        let known = known.meet(self.system.range(raw));
        let least = (known.minus(range).lo / circle).ceil();
        let most = (known.minus(range).hi / circle).floor();
        if least > most {
            self.system.add_column(Range::new(1.0, 0.0));
            self.whole.push(true);
            return None;
        }
        if most - least > MOST_TURNS {
            return None;
        }
        if least == most
            && let Some(form) = raw.plus_times(-circle, &Form::constant(least))
        {
            return Some(self.shortened(form));
        }
        let turns = self.fresh(Range::new(least, most), true);
        let form = self.fresh(range, true);
        self.demand(&[(1.0, &form), (-1.0, raw), (circle, &turns)], Range::ZERO);
        Some(form)
    }

    /// The quantity of an integer term that is a form, up to turns around its circle.
    fn wrapped(&mut self, term: Term, raw: &Form) -> Option<Form> {
        let w = self.model.width(term);
        let range = self.view(term).range(w, (self.domain)(term))?;
        let known = Range::new(f64::NEG_INFINITY, f64::INFINITY);
        self.congruent(raw, known, range, w)
    }
}

/// The terms below some terms, operands first, as far as they can say something; none if there are too many.
fn needed(model: &Model, domain: &dyn Fn(Term) -> Domain, roots: &[Term], most: usize) -> Option<Vec<Term>> {
    let mut seen = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        match model.node(term) {
            // A call says what it was unfolded to; nothing is lost if that is left out.
            Node::Call(..) => {}
            // What is not chosen says nothing.
            Node::Select(condition, a, b) => match domain(*condition).is_singleton() {
                Some(chosen) => stack.extend([*condition, if chosen == 1 { *a } else { *b }]),
                None => stack.extend([*condition, *a, *b]),
            },
            node => node.for_each_operand(|operand| stack.push(operand)),
        }
    }
    let mut terms: Vec<Term> = seen.into_iter().collect();
    terms.sort();
    Some(terms)
}

/// The terms that are floats, with their formats, seen from what is done with them.
fn float_terms(model: &Model, terms: &[Term]) -> FxHashMap<Term, FloatWidth> {
    let mut floats = FxHashMap::default();
    for &term in terms.iter().rev() {
        match model.node(term) {
            Node::Float(function, format, items) => {
                if !matches!(function, FloatFn::Compare(_)) {
                    floats.insert(term, *format);
                }
                floats.extend(items.iter().map(|&item| (item, *format)));
            }
            Node::Cast(cast, a) => {
                let (from, to) = cast.floats();
                floats.extend(from.map(|format| (*a, format)));
                floats.extend(to.map(|format| (term, format)));
            }
            Node::Var(var) if model.vars()[*var].reading == Reading::Float => {
                let format = if model.width(term) == Width::W32 { FloatWidth::F32 } else { FloatWidth::F64 };
                floats.insert(term, format);
            }
            Node::Select(_, a, b) => {
                if let Some(&format) = floats.get(&term) {
                    floats.extend([(*a, format), (*b, format)]);
                }
            }
            _ => {}
        }
    }
    for &term in terms {
        if let Node::Select(_, a, b) = model.node(term)
            && let Some(&format) = floats.get(a).or(floats.get(b))
        {
            floats.insert(term, format);
        }
    }
    floats
}

/// The sum of multiples of forms, and its constant apart from it, which need not be exact.
fn combined(sum: &[(f64, &Form)]) -> Option<(Form, Range)> {
    let mut total = Form::default();
    let mut constant = Range::ZERO;
    for &(factor, form) in sum {
        let parts = Form { parts: form.parts.clone(), constant: 0.0 };
        total = total.plus_times(factor, &parts)?;
        constant = constant.plus(Range::new(form.constant, form.constant).times(factor));
    }
    Some((total, constant))
}

fn index(column: Column) -> usize {
    quipu_base::Id::index(column)
}
