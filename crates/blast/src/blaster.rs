//! The translation of a model that grows: every term once, when it is first needed.

use quipu_base::IdVec;
use quipu_domain::Domain;
use quipu_model::{Assignment, Model, Node, Term, Var, VarInfo};
use quipu_num::{FloatWidth, Guard, float_fn};
use quipu_sat::{Budget, Lit, SatResult, SatSolver};
use rustc_hash::FxHashMap;

use crate::circuit::{Circuit, Edge, Word};
use crate::clauses::Clauses;
use crate::divide::Divisions;
use crate::facts;
use crate::float;
use crate::refine::Application;
use crate::translate::{Operands, translate};

/// Terms of one model as literals of one solver.
///
/// All calls must be given the same model, which may have grown in between: terms are never changed, and calls that
/// have been unfolded since are linked to what they say by the next request.
pub struct Blaster<S> {
    clauses: Clauses<S>,
    circuit: Circuit,
    divisions: Divisions,
    words: Words,
    /// What is known of terms.
    facts: FxHashMap<Term, Domain>,
    /// Calls that have a word, and are not linked to what they say.
    open_calls: Vec<Term>,
    /// Functions whose words may have values that are not theirs.
    inexact: Vec<Term>,
}

/// How large the translation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Gates made, whether or not they were needed.
    pub gates: usize,
    pub variables: usize,
    pub clauses: usize,
}

impl<S: SatSolver> Blaster<S> {
    /// An empty translation for a solver; the solver may have variables and clauses of its own.
    pub fn new(solver: S) -> Blaster<S> {
        Blaster {
            clauses: Clauses::new(solver),
            circuit: Circuit::new(),
            divisions: Divisions::default(),
            words: Words::default(),
            facts: FxHashMap::default(),
            open_calls: Vec::new(),
            inexact: Vec::new(),
        }
    }

    pub fn solver(&self) -> &S {
        &self.clauses.solver
    }

    pub fn solver_mut(&mut self) -> &mut S {
        &mut self.clauses.solver
    }

    pub fn size(&self) -> Size {
        Size {
            gates: self.circuit.len(),
            variables: self.clauses.solver.var_count(),
            clauses: self.clauses.clause_count(),
        }
    }

    // Terms as literals.

    /// The literals of a term's bits, the least significant first.
    pub fn bits(&mut self, model: &Model, term: Term) -> Vec<Lit> {
        self.need(model, term);
        let word = self.words.word(term).to_vec();
        word.into_iter().map(|edge| self.clauses.literal(&self.circuit, self.circuit.resolve(edge))).collect()
    }

    /// The literal of a truth value.
    pub fn literal(&mut self, model: &Model, term: Term) -> Lit {
        self.need(model, term);
        let edge = self.truth(term);
        self.clauses.literal(&self.circuit, edge)
    }

    /// Makes a truth value true for good.
    pub fn assert_true(&mut self, model: &Model, term: Term) {
        self.need(model, term);
        let edge = self.truth(term);
        self.clauses.assert(&mut self.circuit, edge);
    }

    /// Whether a term has been translated.
    pub fn has(&self, term: Term) -> bool {
        self.words.has(term)
    }

    /// Uses that a term lies in a domain, for good. The domain must contain the value of the term in every solution of
    /// what is asserted; it is best known before the term is needed.
    pub fn narrow(&mut self, model: &Model, term: Term, domain: Domain) {
        self.words.grow(model);
        if self.words.has(term) {
            let narrowed =
                facts::narrowed(&mut self.circuit, model.width(term), self.words.word(term), domain);
            if matches!(model.node(term), Node::Var(_)) {
                facts::demand_on_arc(&mut self.circuit, model.width(term), &narrowed, domain.interval());
            }
            self.words.set(term, &narrowed);
            self.meet_demands();
        }
        let width = model.width(term);
        let known = self.facts.entry(term).or_insert(Domain::full(width));
        match known.meet(width, domain) {
            Some(both) => *known = both,
            None => self.clauses.add(&[]),
        }
    }

    /// The calls that were met and not unfolded yet, with their literals, in the order in which they were met.
    /// Assuming them all false asks for a solution that needs none of them.
    pub fn calls(&mut self) -> Vec<(Term, Lit)> {
        let open: Vec<(Term, Edge)> = self.open_calls.iter().map(|&call| (call, self.truth(call))).collect();
        open.into_iter().map(|(call, edge)| (call, self.clauses.literal(&self.circuit, edge))).collect()
    }

    // Answers.

    /// Looks for a solution in which the assumptions are true.
    pub fn solve(&mut self, assumptions: &[Lit], budget: Budget) -> SatResult {
        self.clauses.solver.solve(assumptions, budget)
    }

    /// The value of a variable in the solution found last. A variable that nothing depends on has a value that its
    /// declaration allows.
    pub fn value(&self, model: &Model, var: Var) -> u64 {
        let term = model.var_term(var);
        if !self.words.has(term) {
            return unconstrained(&model.vars()[var], self.facts.get(&term));
        }
        self.word_value(term)
    }

    /// The values of all variables in the solution found last.
    pub fn assignment(&self, model: &Model) -> Assignment {
        model.vars().ids().map(|var| self.value(model, var)).collect()
    }

    /// Whether there are functions that have no circuit, so that a solution may be none.
    pub fn is_inexact(&self) -> bool {
        !self.inexact.is_empty()
    }

    /// Demands more of functions that have no circuit, so that what the solution found last gets wrong about them is
    /// excluded. Says how many of them were wrong.
    pub fn refine(&mut self, model: &Model) -> usize {
        let mut n_wrong = 0;
        for &term in &self.inexact {
            let Node::Float(function, w, operands) = model.node(term) else { continue };
            let values: Vec<u64> = operands.iter().map(|&operand| self.word_value(operand)).collect();
            let value = self.word_value(term);
            if float_fn(*function, *w, &values) != value {
                let application = Application {
                    function: *function,
                    w: *w,
                    operands: operands.iter().map(|&operand| self.words.word(operand)).collect(),
                    result: self.words.word(term),
                };
                application.demand_better(&mut self.circuit, &values, value);
                n_wrong += 1;
            }
        }
        self.meet_demands();
        n_wrong
    }

    fn word_value(&self, term: Term) -> u64 {
        let bit = |(i, &edge): (usize, &Edge)| u64::from(self.edge_value(edge)) << i;
        self.words.word(term).iter().enumerate().map(bit).sum()
    }

    /// Without a literal, nothing depends on the edge, unless it is fixed.
    fn edge_value(&self, edge: Edge) -> bool {
        match self.circuit.resolve(edge) {
            edge if edge.is_constant() => edge == Edge::TRUE,
            edge => self.clauses.existing(edge).is_some_and(|lit| self.clauses.solver.value(lit)),
        }
    }

    // Translation.

    /// Sees to it that a term has a word, and that every call with a known meaning says it.
    fn need(&mut self, model: &Model, term: Term) {
        self.words.grow(model);
        self.build(model, term);
        loop {
            let (known, open): (Vec<Term>, Vec<Term>) =
                self.open_calls.iter().partition(|&&call| model.unfolding(call).is_some());
            self.open_calls = open;
            if known.is_empty() {
                return;
            }
            for call in known {
                self.link(model, call);
            }
        }
    }

    /// A call stands only where its truth helps, so that it need not be true where its meaning is.
    fn link(&mut self, model: &Model, call: Term) {
        let meaning = model.unfolding(call).expect("a call is linked when it has been unfolded");
        self.build(model, meaning);
        let (call, meaning) = (self.truth(call), self.truth(meaning));
        self.circuit.demand_either(!call, meaning);
        self.meet_demands();
    }

    fn build(&mut self, model: &Model, root: Term) {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.words.has(term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let node = model.node(term);
            if !matches!(node, Node::Call(..)) {
                node.for_each_operand(|operand| {
                    if !self.words.has(operand) {
                        stack.push(operand);
                    }
                });
            }
            if stack.len() == before {
                stack.pop();
                self.build_one(model, term);
            }
        }
    }

    /// Builds the word of a term whose operands have theirs.
    fn build_one(&mut self, model: &Model, term: Term) {
        self.demand_known_of_floats(model, term);
        let fact = self.facts.get(&term).copied();
        let word = match model.node(term) {
            Node::Var(var) => self.build_variable(term, &model.vars()[*var], fact),
            Node::Call(..) => {
                self.open_calls.push(term);
                vec![self.circuit.input()]
            }
            _ => translate(&mut self.circuit, &mut self.divisions, &self.words, model, term),
        };
        let word = match fact {
            Some(domain) => facts::narrowed(&mut self.circuit, model.width(term), &word, domain),
            None => word,
        };
        self.words.set(term, &word);
        self.meet_demands();
        if matches!(model.node(term), Node::Float(function, ..) if !float::is_exact(*function)) {
            self.watch(model, term);
        }
    }

    /// Uses what is known of the floats that a term is about to be computed from.
    fn demand_known_of_floats(&mut self, model: &Model, term: Term) {
        let mut floats: Vec<(FloatWidth, Term)> = Vec::new();
        match model.node(term) {
            Node::Float(_, w, operands) => floats.extend(operands.iter().map(|&operand| (*w, operand))),
            Node::Cast(cast, a) => floats.extend(cast.floats().0.map(|w| (w, *a))),
            Node::Guard(Guard::FloatFits { from, .. }, a, _) => floats.push((*from, *a)),
            _ => {}
        }
        for (w, operand) in floats {
            if let Some(fact) = self.facts.get(&operand) {
                float::demand_common(&mut self.circuit, w, self.words.word(operand), fact.interval());
            }
        }
        self.meet_demands();
    }

    /// Sees to it that the values of a function and of its operands can be read from a solution.
    fn watch(&mut self, model: &Model, function: Term) {
        self.inexact.push(function);
        let mut words = self.words.word(function).to_vec();
        model.node(function).for_each_operand(|operand| words.extend(self.words.word(operand)));
        for edge in words {
            self.clauses.literal(&self.circuit, self.circuit.resolve(edge));
        }
    }

    fn build_variable(&mut self, term: Term, info: &VarInfo, fact: Option<Domain>) -> Word {
        let domain = Domain::declared(info.width, info.range);
        let narrowed = fact.map_or(Some(domain), |fact| domain.meet(info.width, fact));
        if narrowed.is_none() {
            self.circuit.demand(Edge::FALSE);
        }
        let known = narrowed.unwrap_or(domain);
        self.facts.insert(term, known);
        let word = facts::inputs(&mut self.circuit, info.width, known);
        facts::demand_on_arc(&mut self.circuit, info.width, &word, domain.interval());
        word
    }

    fn meet_demands(&mut self) {
        for edge in self.circuit.take_demands() {
            self.clauses.assert(&mut self.circuit, edge);
        }
    }

    fn truth(&self, term: Term) -> Edge {
        let &[edge] = self.words.word(term) else { panic!("a truth value should have one bit") };
        self.circuit.resolve(edge)
    }
}

/// A value for a variable that no clause speaks of.
fn unconstrained(info: &VarInfo, fact: Option<&Domain>) -> u64 {
    let domain = Domain::declared(info.width, info.range);
    fact.and_then(|&fact| domain.meet(info.width, fact)).unwrap_or(domain).lo()
}

/// The words of terms, one behind the other.
#[derive(Default)]
struct Words {
    starts: IdVec<Term, Option<Span>>,
    edges: Word,
}

#[derive(Clone, Copy)]
struct Span {
    start: usize,
    size: usize,
}

impl Words {
    /// Makes room for the terms of the model.
    fn grow(&mut self, model: &Model) {
        for _ in self.starts.len()..model.terms().len() {
            self.starts.push(None);
        }
    }

    /// Terms that the model gained since there was made room have none.
    fn has(&self, term: Term) -> bool {
        self.starts.get(term).is_some_and(Option::is_some)
    }

    fn set(&mut self, term: Term, word: &[Edge]) {
        match self.starts[term] {
            Some(Span { start, size }) => self.edges[start..start + size].copy_from_slice(word),
            None => {
                self.starts[term] = Some(Span { start: self.edges.len(), size: word.len() });
                self.edges.extend_from_slice(word);
            }
        }
    }
}

impl Operands for Words {
    fn word(&self, term: Term) -> &[Edge] {
        let Span { start, size } =
            self.starts[term].expect("an operand should be translated before its user");
        &self.edges[start..start + size]
    }
}
