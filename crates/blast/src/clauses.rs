//! From gates to clauses: a gate gets a variable and its defining clauses (Tseitin) when somebody asks for its
//! literal, and not before.
//!
//! Conjunctions are gathered: a tree of conjunctions that nobody else reads becomes one gate of many inputs. What
//! must be true is not given a variable at all if it has none yet: a conjunction is taken apart, a disjunction
//! becomes a clause, an exclusive or becomes two.

use quipu_sat::{Lit, SatSolver};

use crate::circuit::{Circuit, Edge, Gate};

/// A solver, and the literals of the gates that it knows.
pub(crate) struct Clauses<S> {
    pub solver: S,
    literals: Vec<Option<Lit>>,
    clause_count: usize,
}

impl<S: SatSolver> Clauses<S> {
    pub fn new(solver: S) -> Clauses<S> {
        Clauses { solver, literals: Vec::new(), clause_count: 0 }
    }

    /// How many clauses have been added.
    pub fn clause_count(&self) -> usize {
        self.clause_count
    }

    /// The literal of an edge, with the definition of everything that it depends on.
    pub fn literal(&mut self, circuit: &Circuit, edge: Edge) -> Lit {
        self.literals.resize(circuit.len(), None);
        let mut stack = vec![edge.gate()];
        while let Some(&number) = stack.last() {
            if self.literals[number].is_some() {
                stack.pop();
                continue;
            }
            if let Some(value) = circuit.fixed(number) {
                self.define_fixed(number, value);
                continue;
            }
            let inputs = self.inputs(circuit, number);
            let before = stack.len();
            stack.extend(inputs.iter().map(|input| input.gate()).filter(|&n| self.literals[n].is_none()));
            if stack.len() == before {
                stack.pop();
                self.define(circuit.gate(number), number, &inputs);
            }
        }
        self.known(edge)
    }

    /// The literal of an edge, if its gate has one.
    pub fn existing(&self, edge: Edge) -> Option<Lit> {
        let literal = *self.literals.get(edge.gate())?;
        literal.map(|lit| lit ^ edge.is_complement())
    }

    /// Makes an edge true for good.
    pub fn assert(&mut self, circuit: &mut Circuit, edge: Edge) {
        let mut stack = vec![edge];
        while let Some(edge) = stack.pop() {
            let edge = circuit.resolve(edge);
            if edge == Edge::TRUE {
                continue;
            }
            if edge == Edge::FALSE {
                self.add(&[]);
                continue;
            }
            if let Some(lit) = self.existing(edge) {
                self.add(&[lit]);
            } else {
                self.assert_gate(circuit, edge, &mut stack);
            }
            circuit.fix(edge);
        }
    }

    /// Asserts an edge whose gate has no literal.
    fn assert_gate(&mut self, circuit: &Circuit, edge: Edge, stack: &mut Vec<Edge>) {
        let negated = edge.is_complement();
        match circuit.gate(edge.gate()) {
            Gate::And(a, b) if !negated => stack.extend([a, b]),
            Gate::And(..) => {
                let leaves = self.inputs(circuit, edge.gate());
                let clause: Vec<Lit> = leaves.iter().map(|&leaf| !self.literal(circuit, leaf)).collect();
                self.add(&clause);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.literal(circuit, a), self.literal(circuit, b) ^ negated);
                self.add(&[a, b]);
                self.add(&[!a, !b]);
            }
            Gate::Mux(c, a, b) => {
                let c = self.literal(circuit, c);
                let (a, b) = (self.literal(circuit, a) ^ negated, self.literal(circuit, b) ^ negated);
                self.add(&[!c, a]);
                self.add(&[c, b]);
            }
            Gate::True | Gate::Input | Gate::Odd(..) | Gate::Majority(..) => {
                let lit = self.literal(circuit, edge);
                self.add(&[lit]);
            }
        }
    }

    /// The edges that the clauses of a gate speak of.
    fn inputs(&self, circuit: &Circuit, number: usize) -> Vec<Edge> {
        let mut inputs = Vec::new();
        let gate = circuit.gate(number);
        if !matches!(gate, Gate::And(..)) {
            gate.for_each_input(|edge| inputs.push(edge));
            return inputs;
        }
        let mut stack = vec![number];
        while let Some(number) = stack.pop() {
            circuit.gate(number).for_each_input(|edge| {
                let inner = matches!(circuit.gate(edge.gate()), Gate::And(..))
                    && !edge.is_complement()
                    && circuit.is_private(edge.gate())
                    && self.literals.get(edge.gate()).is_none_or(|lit| lit.is_none());
                if inner {
                    stack.push(edge.gate());
                } else {
                    inputs.push(edge);
                }
            });
        }
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }

    /// A gate whose value was asserted before it had a literal needs no definition: the assertion is one.
    fn define_fixed(&mut self, number: usize, value: bool) {
        if self.literals[0].is_none() {
            self.define(Gate::True, 0, &[]);
        }
        self.literals[number] = Some(self.known(Edge::constant(value)));
    }

    fn define(&mut self, gate: Gate, number: usize, inputs: &[Edge]) {
        let g = self.solver.new_var().positive();
        self.literals[number] = Some(g);
        let lits: Vec<Lit> = inputs.iter().map(|&edge| self.known(edge)).collect();
        match (gate, lits.as_slice()) {
            (Gate::True, _) => self.add(&[g]),
            (Gate::Input, _) => {}
            (Gate::And(..), lits) => self.define_and(g, lits),
            (Gate::Xor(..), &[a, b]) => self.define_xor(g, a, b),
            (Gate::Mux(..), &[c, a, b]) => self.define_mux(g, c, a, b),
            (Gate::Odd(..), &[a, b, c]) => self.define_odd(g, a, b, c),
            (Gate::Majority(..), &[a, b, c]) => self.define_majority(g, a, b, c),
            _ => unreachable!("a gate should have as many inputs as its kind says"),
        }
    }

    fn define_and(&mut self, g: Lit, lits: &[Lit]) {
        for &lit in lits {
            self.add(&[!g, lit]);
        }
        let clause: Vec<Lit> = lits.iter().map(|&lit| !lit).chain([g]).collect();
        self.add(&clause);
    }

    fn define_xor(&mut self, g: Lit, a: Lit, b: Lit) {
        for (g, a, b) in [(!g, a, b), (!g, !a, !b), (g, !a, b), (g, a, !b)] {
            self.add(&[g, a, b]);
        }
    }

    /// Without the two clauses for equal branches, which follow: they did not pay on sorting networks.
    fn define_mux(&mut self, g: Lit, c: Lit, a: Lit, b: Lit) {
        for (x, y, z) in [(!c, !a, g), (!c, a, !g), (c, !b, g), (c, b, !g)] {
            self.add(&[x, y, z]);
        }
    }

    fn define_odd(&mut self, g: Lit, a: Lit, b: Lit, c: Lit) {
        for signs in 0..8u32 {
            let [x, y, z] = [signs & 1 == 1, signs & 2 == 2, signs & 4 == 4];
            // Where a, b and c have these values, the gate has their parity.
            self.add(&[a ^ x, b ^ y, c ^ z, g ^ !(x ^ y ^ z)]);
        }
    }

    fn define_majority(&mut self, g: Lit, a: Lit, b: Lit, c: Lit) {
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.add(&[!x, !y, g]);
            self.add(&[x, y, !g]);
        }
    }

    fn known(&self, edge: Edge) -> Lit {
        self.existing(edge).expect("the inputs of a gate should be defined before it")
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: &[Lit]) {
        self.clause_count += 1;
        self.solver.add_clause(clause);
    }
}
