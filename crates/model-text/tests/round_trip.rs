//! Printing and reading again gives the same model, and printing that gives the same text.

mod random;

use quipu_model::{Assignment, Body, Evaluation, Model, Node, Role, Term, Var};
use quipu_model_text::{parse, print, print_document, render};
use quipu_num::{IntOp, Width};
use random::Rng;
use std::collections::HashMap;

fn parsed(text: &str) -> quipu_model_text::Document {
    parse(text).unwrap_or_else(|errors| {
        let shown: Vec<String> = errors.iter().map(|error| render(error, text, "t.qm")).collect();
        panic!("{}\nof the text\n{text}", shown.join("\n"))
    })
}

/// Which terms and variables of two models correspond.
struct Same<'m> {
    a: &'m Model,
    b: &'m Model,
    terms: HashMap<Term, Term>,
    vars: HashMap<Var, Var>,
    back: HashMap<Var, Var>,
}

impl<'m> Same<'m> {
    /// Panics if the models differ in what their assertions and relations say.
    fn check(a: &'m Model, b: &'m Model) -> Same<'m> {
        let mut same = Same { a, b, terms: HashMap::new(), vars: HashMap::new(), back: HashMap::new() };
        assert_eq!(a.assertions().len(), b.assertions().len());
        assert_eq!(a.relations().len(), b.relations().len());
        for (&x, &y) in a.assertions().iter().zip(b.assertions()) {
            same.term(x, y);
        }
        for role in [Role::Input, Role::Local] {
            let count = |model: &Model| model.vars().iter().filter(|info| info.role == role).count();
            assert_eq!(count(a), count(b));
        }
        for (x, y) in a.relations().iter().zip(b.relations().iter()) {
            same.body(&x.body, &y.body);
        }
        same
    }

    fn body(&mut self, x: &Body, y: &Body) {
        match (x, y) {
            (Body::Procedure(x), Body::Procedure(y)) => {
                self.each_var(&x.parameters, &y.parameters, false);
                self.each_var(&x.locals, &y.locals, true);
                self.term(x.body, y.body);
            }
            (Body::Loop(x), Body::Loop(y)) => {
                self.each_var(&x.outer, &y.outer, false);
                self.each_var(&x.state, &y.state, false);
                self.each_var(&x.next, &y.next, true);
                self.each_var(&x.locals, &y.locals, true);
                self.term(x.condition, y.condition);
                self.term(x.body, y.body);
            }
            (Body::Supplied { parameters: x }, Body::Supplied { parameters: y }) => assert_eq!(x, y),
            _ => panic!("a relation changed its kind"),
        }
    }

    fn each_var(&mut self, x: &[Var], y: &[Var], ranges: bool) {
        assert_eq!(x.len(), y.len());
        for (&x, &y) in x.iter().zip(y) {
            self.var(x, y, ranges);
        }
    }

    fn var(&mut self, x: Var, y: Var, ranges: bool) {
        let (p, q) = (&self.a.vars()[x], &self.b.vars()[y]);
        assert_eq!((p.width, p.reading, p.role), (q.width, q.reading, q.role));
        assert!(!ranges || p.range == q.range);
        assert_eq!(*self.vars.entry(x).or_insert(y), y);
        assert_eq!(*self.back.entry(y).or_insert(x), x);
    }

    fn term(&mut self, x: Term, y: Term) {
        if let Some(&known) = self.terms.get(&x) {
            assert_eq!(known, y, "one term stays one term");
            return;
        }
        self.terms.insert(x, y);
        assert_eq!(self.a.width(x), self.b.width(y));
        if let (&Node::Var(x), &Node::Var(y)) = (self.a.node(x), self.b.node(y)) {
            let formal = self.a.vars()[x].role == Role::Formal;
            return self.var(x, y, !formal);
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        self.a.node(x).for_each_operand(|operand| left.push(operand));
        self.b.node(y).for_each_operand(|operand| right.push(operand));
        assert_eq!(left.len(), right.len(), "{:?} {:?}", self.a.node(x), self.b.node(y));
        left.iter().zip(&right).for_each(|(&x, &y)| self.term(x, y));
        let terms = &self.terms;
        assert_eq!(&self.a.node(x).map_operands(|operand| terms[&operand]), self.b.node(y));
    }

    /// Under random assignments, corresponding terms have one value.
    fn check_values(&self, rng: &mut Rng) {
        for _ in 0..3 {
            let left = random::assignment(self.a, rng);
            let mut right: Assignment = self.b.vars().iter().map(|_| 0).collect();
            for (&x, &y) in &self.vars {
                right[y] = left[x];
            }
            let mut left = Evaluation::new(self.a, &left);
            let mut right = Evaluation::new(self.b, &right);
            for (&x, &y) in &self.terms {
                assert_eq!(left.value(x), right.value(y), "{:?}", self.a.node(x));
            }
        }
    }
}

fn round_trip(model: &Model, rng: &mut Rng) {
    let text = print(model);
    let document = parsed(&text);
    let same = std::panic::catch_unwind(|| Same::check(model, &document.model));
    let Ok(same) = same else { panic!("the model changed: {text}") };
    same.check_values(rng);
    let again = print(&document.model);
    assert_eq!(text, again, "printing is a fixpoint");
}

#[test]
fn random_models_without_relations() {
    for seed in 0..1500 {
        round_trip(&random::model(seed, false), &mut Rng::new(seed));
    }
}

#[test]
fn random_models_with_relations_and_loops() {
    for seed in 0..1500 {
        round_trip(&random::model(seed, true), &mut Rng::new(seed));
    }
}

#[test]
fn random_models_with_floats() {
    for seed in 0..1500 {
        round_trip(&random::float_model(seed, seed % 2 == 1), &mut Rng::new(seed));
    }
}

/// `x + (x + (x + …))`, and a product that doubles its size with every level.
#[test]
fn deep_and_shared_terms_stay_small() {
    let document = parsed("var x : u32;");
    let mut model = document.model;
    let x = model.var_term(model.inputs().next().unwrap());
    let (mut deep, mut shared, mut long) = (x, x, x);
    for n in 0..20_000 {
        deep = model.op(IntOp::Add, x, deep);
        if n < 200 {
            shared = model.op(IntOp::Mul, shared, shared);
        }
        long = model.op(IntOp::Sub, long, x);
    }
    let zero = model.constant_term(Width::W32, 0);
    for term in [deep, shared, long] {
        let equation = model.equal(term, zero);
        model.assert(equation);
    }
    let text = print(&model);
    assert!(text.len() < 400_000, "{}", text.len());
    let again = parsed(&text);
    assert_eq!(print(&again.model), text);
    assert_eq!(again.model.terms().len(), model.terms().len());
}

#[test]
fn texts_of_people_round_trip() {
    let text = "
        rel mul(x: u8, y: u8, z: u8) {
          w (i = x, s : u8 in 0..200 = 0) while (i != 0) {
            var t : u8;
            w (j = y, t = s) while (j != 0) { t' == t + 1; j' == j - 1; } end (0, t);
            s' == t; i' == i - 1;
          } end (_, z);
        }
        rel supplied(a: u8, b: bool);
        rel pick(i: u4, a[3]: i16, v: i16) { element(i, a, v); }
        var x, y, z : u8; var a[3] : i16 in -5..5; var k : u4; var solve : bool;
        var w1 : bool; w1 || true;
        (solve);
        mul(x, y, z);
        supplied(x, x < y) || z == 0;
        propagate;
        pick(k, a, 3); pick(k, [a[1], 4, x as i16], -2);
        x as i8 < -3 && y / 3 == 4 && (z as i8 as i16 >> 2) < a[k];
        w (s = a, n : u8 = 0) while (n != 2) { s'[0] == s[1]; n' == n + x; } end (a, _);
        solve x, a[1] limit 5 by random 3; count by split; all;
    ";
    let document = parsed(text);
    let printed = print_document(&document);
    let again = parsed(&printed);
    Same::check(&document.model, &again.model);
    assert_eq!(print_document(&again), printed);
    assert_eq!(again.queries.len(), 4);
    let assertions =
        |d: &quipu_model_text::Document| d.queries.iter().map(|q| q.n_assertions).collect::<Vec<_>>();
    assert_eq!(assertions(&again), assertions(&document));
    assert_eq!(again.named("a").unwrap().vars.len(), 3);
    let name = |model: &Model| model.inputs().map(|var| model.vars()[var].name.clone()).collect::<Vec<_>>();
    assert_eq!(name(&document.model), name(&again.model));
}
