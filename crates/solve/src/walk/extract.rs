//! The terms of a question, copied into a model of their own: numbered without gaps, operands first, and no calls.

use quipu_base::IdVec;
use quipu_cp::{Solver, format_of};
use quipu_domain::Domain;
use quipu_model::{Model, Node, Term, Var};
use quipu_num::{FloatWidth, Width};

/// A question as terms that must be true or false.
pub(crate) struct Extract {
    pub model: Model,
    pub demands: Vec<Demand>,
    /// By the variables of the copy.
    pub variables: IdVec<Var, Variable>,
    pub has_floats: bool,
}

/// What a term must be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Demand {
    pub term: Term,
    pub wanted: bool,
}

/// A variable that the question mentions.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// In the model of the question.
    pub original: Var,
    pub term: Term,
    pub width: Width,
    pub float: Option<FloatWidth>,
    pub domain: Domain,
}

impl Extract {
    /// Copies what the assertions of a model and some more truth values need; none if that is too much, if calls need
    /// each other, or if a term should be both true and false. A call that was not unfolded is false.
    pub fn new(solver: &Solver<'_>, assumptions: &[Term], most_terms: usize) -> Option<Extract> {
        let source = solver.model();
        let mut copy = Copy {
            solver,
            source,
            copies: source.table(State::New),
            extract: Extract {
                model: Model::new(),
                demands: Vec::new(),
                variables: IdVec::new(),
                has_floats: false,
            },
            most_terms,
        };
        for &root in source.assertions().iter().chain(assumptions) {
            let term = copy.copy(root)?;
            copy.extract.demand(term, true);
        }
        let mut extract = copy.extract;
        extract.demands.sort();
        extract.demands.dedup();
        let contradicts = |pair: &[Demand]| pair[0].term == pair[1].term;
        (!extract.demands.windows(2).any(contradicts)).then_some(extract)
    }

    /// Takes conjunctions apart, so that each part has a weight of its own.
    fn demand(&mut self, term: Term, wanted: bool) {
        match (self.model.node(term).clone(), wanted) {
            (Node::All(items), true) | (Node::Any(items), false) => {
                items.iter().for_each(|&item| self.demand(item, wanted));
            }
            (Node::Not(a), _) => self.demand(a, !wanted),
            _ => self.demands.push(Demand { term, wanted }),
        }
    }
}

#[derive(Clone, Copy)]
enum State {
    New,
    /// A call whose meaning is being copied.
    Open,
    Done(Term),
}

struct Copy<'a> {
    solver: &'a Solver<'a>,
    source: &'a Model,
    copies: IdVec<Term, State>,
    extract: Extract,
    most_terms: usize,
}

impl Copy<'_> {
    fn copy(&mut self, root: Term) -> Option<Term> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if let State::Done(_) = self.copies[term] {
                stack.pop();
                continue;
            }
            let before = stack.len();
            match self.source.node(term) {
                Node::Call(..) => self.open_call(term, &mut stack)?,
                node => node.for_each_operand(|operand| {
                    if !matches!(self.copies[operand], State::Done(_)) {
                        stack.push(operand);
                    }
                }),
            }
            if stack.len() == before {
                stack.pop();
                self.finish(term);
            }
            if self.extract.model.terms().len() > self.most_terms {
                return None;
            }
        }
        Some(self.done(root))
    }

    /// First time: its meaning must be copied. Second time: it has been, or it is needed for itself.
    fn open_call(&mut self, call: Term, stack: &mut Vec<Term>) -> Option<()> {
        let Some(meaning) = self.source.unfolding(call) else { return Some(()) };
        match (self.copies[call], self.copies[meaning]) {
            (_, State::Done(_)) => Some(()),
            (State::New, _) => {
                self.copies[call] = State::Open;
                stack.push(meaning);
                Some(())
            }
            _ => None,
        }
    }

    fn finish(&mut self, term: Term) {
        let width = self.source.width(term);
        let copied = match self.source.node(term) {
            Node::Var(var) => self.variable(*var, term),
            Node::Call(..) => match self.source.unfolding(term) {
                Some(meaning) => self.done(meaning),
                None => self.extract.model.truth(false),
            },
            node => {
                self.extract.has_floats |= is_about_floats(node);
                let node = node.map_operands(|operand| self.done(operand));
                self.extract.model.add(node, width)
            }
        };
        self.copies[term] = State::Done(copied);
    }

    fn variable(&mut self, original: Var, term: Term) -> Term {
        let info = self.source.vars()[original].clone();
        let (width, float) = (info.width, format_of(&info));
        self.extract.has_floats |= float.is_some();
        let var = self.extract.model.add_var(info);
        let copied = self.extract.model.var_term(var);
        let domain = self.solver.domain(term);
        self.extract.variables.push(Variable { original, term: copied, width, float, domain });
        copied
    }

    fn done(&self, term: Term) -> Term {
        match self.copies[term] {
            State::Done(copied) => copied,
            State::New | State::Open => panic!("operands should be copied before the terms that use them"),
        }
    }
}

fn is_about_floats(node: &Node) -> bool {
    match node {
        Node::Float(..) => true,
        Node::Cast(cast, _) => cast.floats() != (None, None),
        _ => false,
    }
}
