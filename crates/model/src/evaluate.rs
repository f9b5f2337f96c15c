//! What a model means: the value of a term under an assignment, and which assignments are solutions.

use quipu_base::IdVec;
use quipu_num::{Width, cast_of_rank, float_fn, int_cmp, int_op, int_unary};
use rustc_hash::FxHashSet;

use crate::graph::{Model, Role, VarInfo};
use crate::node::{Node, Term, Var};

/// A value, in canonical bits, for every variable.
pub type Assignment = IdVec<Var, u64>;

/// Whether an assignment is a solution: every declared range is kept and every assertion is true. A call
/// is true if what it was unfolded to is, in finitely many steps; a call that was never unfolded is not.
pub fn holds(model: &Model, assignment: &Assignment) -> bool {
    all_hold(model, model.assertions(), assignment)
}

/// Whether an assignment keeps every declared range and makes all of these truth values true.
pub fn all_hold(model: &Model, assertions: &[Term], assignment: &Assignment) -> bool {
    let mut evaluation = Evaluation::new(model, assignment);
    let allowed = |(var, info): (Var, &VarInfo)| info.role == Role::Formal || info.allows(assignment[var]);
    model.vars().entries().all(allowed)
        && assertions.iter().all(|&assertion| evaluation.value(assertion) == 1)
}

/// The values of terms under one assignment, computed when asked for.
pub struct Evaluation<'a> {
    model: &'a Model,
    assignment: &'a Assignment,
    values: IdVec<Term, State>,
    /// Calls that are known to be true.
    proved: FxHashSet<Term>,
    /// Whether a call was met while its own meaning was being evaluated.
    cut: bool,
}

#[derive(Clone, Copy)]
enum State {
    Unknown,
    /// A call whose unfolding is being evaluated.
    Open,
    Known(u64),
}

impl<'a> Evaluation<'a> {
    pub fn new(model: &'a Model, assignment: &'a Assignment) -> Evaluation<'a> {
        Evaluation {
            model,
            assignment,
            values: model.table(State::Unknown),
            proved: FxHashSet::default(),
            cut: false,
        }
    }

    /// The value of a term.
    ///
    /// Calls that need each other get the least values: what was taken for false on the way round a circle, and
    /// turned out true, is evaluated again with that knowledge.
    pub fn value(&mut self, root: Term) -> u64 {
        loop {
            let value = self.pass(root);
            if !self.cut || value != 0 {
                return value;
            }
            let known = self.proved.len();
            let is_true = |call: &Term| matches!(self.values[*call], State::Known(1));
            let calls = self.model.terms().filter(|&term| matches!(self.model.node(term), Node::Call(..)));
            let proved: Vec<Term> = calls.filter(is_true).collect();
            self.proved.extend(proved);
            if self.proved.len() == known {
                return value;
            }
            self.cut = false;
            self.values = self.model.table(State::Unknown);
        }
    }

    fn pass(&mut self, root: Term) -> u64 {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if matches!(self.values[term], State::Known(_)) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            match self.model.node(term) {
                Node::Call(..) => self.open_call(term, &mut stack),
                node => node.for_each_operand(|operand| match self.values[operand] {
                    State::Unknown => stack.push(operand),
                    State::Open => self.cut = true,
                    State::Known(_) => {}
                }),
            }
            if stack.len() == before {
                stack.pop();
                let value = self.apply(term);
                self.values[term] = State::Known(value);
            }
        }
        self.known(root)
    }

    /// First time: its meaning must be evaluated. Second time: it has been.
    fn open_call(&mut self, call: Term, stack: &mut Vec<Term>) {
        if let (State::Unknown, Some(meaning)) = (self.values[call], self.model.unfolding(call)) {
            self.values[call] = State::Open;
            match self.values[meaning] {
                State::Unknown => stack.push(meaning),
                State::Open => self.cut = true,
                State::Known(_) => {}
            }
        }
    }

    /// A call that is still open needs itself, and is false unless it was proved otherwise.
    fn known(&self, term: Term) -> u64 {
        match self.values[term] {
            State::Known(value) => value,
            State::Open | State::Unknown => u64::from(self.proved.contains(&term)),
        }
    }

    fn apply(&self, term: Term) -> u64 {
        match self.model.node(term) {
            Node::Var(var) => self.assignment[*var],
            Node::Call(..) if self.proved.contains(&term) => 1,
            Node::Call(..) => self.model.unfolding(term).map_or(0, |meaning| self.known(meaning)),
            node => apply(self.model, node, self.model.width(term), |operand| self.known(operand)),
        }
    }
}

/// The value of a node that is a function of its operands: neither a variable nor a call.
pub fn apply(model: &Model, node: &Node, width: Width, v: impl Fn(Term) -> u64) -> u64 {
    match node {
        Node::Const(bits) => *bits,
        Node::Not(a) => width.wrap(!v(*a)),
        Node::Op(op, a, b) => int_op(*op, width, v(*a), v(*b)),
        Node::Unary(op, a) => int_unary(*op, width, v(*a)),
        Node::Compare(cmp, a, b) => u64::from(int_cmp(*cmp, model.width(*a), v(*a), v(*b))),
        Node::Guard(guard, a, b) => u64::from(guard.holds_of_ranks((v(*a), v(*b)))),
        Node::Cast(conversion, a) => cast_of_rank(*conversion, v(*a)),
        Node::Float(function, w, items) => match **items {
            [a] => float_fn(*function, *w, &[v(a)]),
            [a, b] => float_fn(*function, *w, &[v(a), v(b)]),
            [a, b, c] => float_fn(*function, *w, &[v(a), v(b), v(c)]),
            _ => panic!("a function of floats has one to three operands"),
        },
        Node::Select(c, a, b) => v(if v(*c) == 1 { *a } else { *b }),
        Node::All(items) => u64::from(items.iter().all(|&item| v(item) == 1)),
        Node::Any(items) => u64::from(items.iter().any(|&item| v(item) == 1)),
        Node::Sum(constant, parts) => {
            let products = parts.iter().map(|&(c, part)| c.wrapping_mul(v(part)));
            width.wrap(products.fold(*constant, u64::wrapping_add))
        }
        Node::Element(index, items) => {
            usize::try_from(v(*index)).ok().and_then(|n| items.get(n)).map_or(0, |&item| v(item))
        }
        Node::Var(_) | Node::Call(..) => panic!("a variable or call is no function of its operands"),
    }
}
