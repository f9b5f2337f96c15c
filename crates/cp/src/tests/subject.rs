//! Nodes under test: each is a model of one definition over variables, with the table of what it relates.

use quipu_domain::Domain;
use quipu_model::{Model, Node, Reading, Role, Term, VarInfo, WrittenBodies, apply};
use quipu_num::{Cast, Guard, IntCmp, IntOp, IntUnary, Width};

use crate::definition::contract;
use crate::definition::related;
use crate::engine::Engine;
use crate::limits::Limits;

/// One node over variables; an operand may stand in it twice.
pub struct Subject {
    pub name: String,
    pub model: Model,
    /// The variables, then the node.
    pub terms: Vec<Term>,
}

/// Values of the terms of a subject, in their order.
pub type Tuple = Vec<u64>;

impl Subject {
    fn new(widths: &[Width], build: impl FnOnce(&mut Model, &[Term]) -> Term) -> Subject {
        let mut model = Model::new();
        let mut terms = Vec::new();
        for (n, &width) in widths.iter().enumerate() {
            let info = VarInfo {
                name: format!("x{n}"),
                width,
                reading: Reading::Unsigned,
                range: None,
                role: Role::Input,
            };
            let var = model.add_var(info);
            terms.push(model.var_term(var));
        }
        let node = build(&mut model, &terms);
        let bits: Vec<u32> = widths.iter().map(|width| width.bits()).collect();
        let name = format!("{:?} of widths {bits:?}", model.node(node));
        terms.push(node);
        Subject { name, model, terms }
    }

    pub fn node(&self) -> Term {
        *self.terms.last().expect("a subject has a node")
    }

    pub fn width(&self, n: usize) -> Width {
        self.model.width(self.terms[n])
    }

    /// An engine in which the node takes part.
    pub fn engine(&self) -> Engine<'static> {
        let (mut engine, possible) =
            Engine::new(self.model.clone(), Box::new(WrittenBodies), Limits::default());
        assert!(possible, "nothing is asserted");
        engine.activate(self.node());
        engine
    }

    /// How many bits the variables have together.
    pub fn bits(&self) -> u32 {
        (0..self.terms.len() - 1).map(|n| self.width(n).bits()).sum()
    }

    /// The tuple that the values of the variables determine.
    pub fn tuple(&self, mut values: Vec<u64>) -> Tuple {
        let node = self.node();
        let value = |term: Term| {
            let n = self.terms.iter().position(|&own| own == term).expect("operands are variables");
            values[n]
        };
        let result = apply(&self.model, self.model.node(node), self.model.width(node), value);
        values.push(result);
        values
    }

    /// All tuples that the node relates.
    pub fn tuples(&self) -> Vec<Tuple> {
        let n_vars = self.terms.len() - 1;
        assert!(self.bits() <= 16, "a table needs small widths");
        let mut tuples = Vec::new();
        for mut number in 0..1u64 << self.bits() {
            let mut values = Vec::with_capacity(n_vars + 1);
            for n in 0..n_vars {
                values.push(self.width(n).wrap(number));
                number >>= self.width(n).bits();
            }
            tuples.push(self.tuple(values));
        }
        tuples
    }
}

/// Whether one more pass of a definition would change anything.
pub fn is_fixpoint(engine: &Engine<'_>, term: Term) -> bool {
    let mut terms = Vec::new();
    related(&engine.model, term, &mut terms);
    let before: Vec<Domain> = terms.iter().map(|&term| engine.store.domain(term)).collect();
    let mut after = before.clone();
    contract(&engine.model, term, &mut after) && before == after
}

/// Every kind of node with every operator, at a width; `most` bits for the variables of the larger ones.
pub fn subjects(w: Width, most: u32) -> Vec<Subject> {
    let mut all = vec![Subject::new(&[w], |model, x| model.not(x[0]))];
    for (op, _) in IntUnary::ALL {
        all.push(Subject::new(&[w], |model, x| model.unary(op, x[0])));
    }
    for (op, _) in IntOp::ALL {
        all.push(Subject::new(&[w, w], |model, x| model.op(op, x[0], x[1])));
        all.push(Subject::new(&[w], |model, x| model.op(op, x[0], x[0])));
    }
    for (cmp, _) in IntCmp::ALL {
        all.push(Subject::new(&[w, w], |model, x| model.compare(cmp, x[0], x[1])));
        all.push(Subject::new(&[w], |model, x| model.compare(cmp, x[0], x[0])));
    }
    for guard in guards(w) {
        all.push(Subject::new(&[w, w], |model, x| model.guard(guard, x[0], x[1])));
        all.push(Subject::new(&[w], |model, x| model.guard(guard, x[0], x[0])));
    }
    all.extend(casts(w));
    all.extend(selections(w));
    all.extend(sums(w));
    all.extend(elements(w));
    if w == Width::W1 {
        all.extend(connectives());
    }
    all.retain(|subject| subject.bits() <= most);
    all
}

fn guards(w: Width) -> Vec<Guard> {
    let mut guards = vec![
        Guard::AddFits(w),
        Guard::SubFits(w),
        Guard::MulFits(w),
        Guard::NonZero(w),
        Guard::AnyBit(w),
        Guard::QuotientFits(w),
        Guard::ShlFits(w),
        Guard::IndexBelow(w),
        Guard::IndexAtMost(w),
    ];
    let shifted = [1, 2, 3, w.bits(), 64].map(|bits| Width::new(bits).expect("a width of 1 to 64"));
    guards.extend(shifted.map(|shifted| Guard::ShiftInRange { amount: w, shifted }));
    guards
}

fn casts(w: Width) -> Vec<Subject> {
    let bits = w.bits();
    let mut others: Vec<u32> = vec![1, 2, 3, 4, bits / 2, bits.saturating_sub(1), bits + 1, 2 * bits, 64];
    others.retain(|&other| (1..=64).contains(&other) && other != bits);
    others.sort();
    others.dedup();
    let mut subjects = Vec::new();
    for to in others.into_iter().filter_map(Width::new) {
        let casts =
            if to < w { vec![Cast::Trunc(w, to)] } else { vec![Cast::ZExt(w, to), Cast::SExt(w, to)] };
        for cast in casts {
            subjects.push(Subject::new(&[w], |model, x| model.add(Node::Cast(cast, x[0]), to)));
        }
    }
    subjects
}

fn selections(w: Width) -> Vec<Subject> {
    let b = Width::W1;
    let mut subjects = vec![
        Subject::new(&[b, w, w], |model, x| model.select(x[0], x[1], x[2])),
        Subject::new(&[b, w], |model, x| model.select(x[0], x[1], x[1])),
    ];
    if w == b {
        subjects.push(Subject::new(&[b, w], |model, x| model.select(x[0], x[0], x[1])));
        subjects.push(Subject::new(&[b, w], |model, x| model.select(x[0], x[1], x[0])));
    }
    subjects
}

fn sums(w: Width) -> Vec<Subject> {
    let minus = w.mask();
    let lists: [&[u64]; 11] = [
        &[],
        &[3],
        &[2],
        &[minus],
        &[1, 1],
        &[1, minus],
        &[3, 5],
        &[2, 4],
        &[2, minus - 1],
        &[1, 1, 1],
        &[1, 3, minus],
    ];
    let mut subjects = Vec::new();
    for (n, coefficients) in lists.iter().enumerate() {
        let constant = [0, 1, 5, minus][n % 4];
        subjects.push(Subject::new(&vec![w; coefficients.len()], |model, x| {
            let parts: Vec<(u64, Term)> = coefficients.iter().copied().zip(x.iter().copied()).collect();
            model.sum(w, constant, parts)
        }));
    }
    subjects.push(Subject::new(&[w], |model, x| model.sum(w, 3, [(1, x[0]), (2, x[0])])));
    subjects.push(Subject::new(&[w, w], |model, x| model.sum(w, 0, [(1, x[0]), (3, x[1]), (minus, x[0])])));
    subjects
}

fn elements(w: Width) -> Vec<Subject> {
    let mut subjects = Vec::new();
    for index in [1, 2, 3, w.bits()].into_iter().filter_map(Width::new) {
        for n in 1..=3 {
            let mut widths = vec![index];
            widths.extend(vec![w; n]);
            subjects.push(Subject::new(&widths, |model, x| model.element(x[0], x[1..].to_vec())));
        }
        subjects.push(Subject::new(&[index, w, w], |model, x| model.element(x[0], [x[1], x[2], x[1]])));
    }
    subjects.push(Subject::new(&[w, w], |model, x| model.element(x[0], [x[0], x[1], x[0]])));
    subjects
}

fn connectives() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for n in 0..=4 {
        let widths = vec![Width::W1; n];
        subjects.push(Subject::new(&widths, |model, x| model.all(x.to_vec())));
        subjects.push(Subject::new(&widths, |model, x| model.any(x.to_vec())));
    }
    let widths = [Width::W1; 2];
    subjects.push(Subject::new(&widths, |model, x| model.all([x[0], x[1], x[0]])));
    subjects.push(Subject::new(&widths, |model, x| model.any([x[0], x[1], x[0]])));
    subjects
}
