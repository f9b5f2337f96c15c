//! Random relations and loops whose calls can be executed: next values and most locals are functions of what is known.

use quipu_base::IdVec;
use quipu_model::{
    Body, Loop, LoopVariables, Model, Procedure, Reading, Relation, RelationInfo, Role, Term, Var, VarInfo,
};
use quipu_num::{IntCmp, IntOp, Width};

use crate::execute::Specimen;
use crate::random::Random;

/// Adds one to three relations to a model, and assertions that call them. The terms that the model has so far, all
/// over its own variables, may become arguments.
pub fn with_relations(model: Model, random: &mut Random) -> Specimen {
    let arguments: Vec<Term> = model.terms().collect();
    let mut builder = Builder { random, specimen: Specimen { model, meanings: IdVec::new() } };
    let n = 1 + builder.random.below(3);
    let relations: Vec<Relation> = (0..n).map(|_| builder.relation(&arguments)).collect();
    for _ in 0..1 + builder.random.below(2) {
        let relation = builder.random.pick(&relations);
        let call = builder.call(relation, &arguments);
        let assertion = builder.in_context(call, &arguments);
        builder.specimen.model.assert(assertion);
    }
    builder.specimen
}

struct Builder<'r> {
    random: &'r mut Random,
    specimen: Specimen,
}

impl Builder<'_> {
    fn model(&mut self) -> &mut Model {
        &mut self.specimen.model
    }

    /// The width of one of the terms.
    fn width_of(&mut self, terms: &[Term]) -> Width {
        let term = self.random.pick(terms);
        self.specimen.model.width(term)
    }

    fn formal(&mut self, name: &str, width: Width, range: Option<(u64, u64)>) -> Var {
        let signed = self.random.chance(50);
        let name = format!("{name}{}", self.specimen.model.vars().len());
        self.model().add_var(VarInfo {
            name,
            width,
            reading: Reading::integer(signed),
            range,
            role: Role::Formal,
        })
    }

    fn terms(&self, vars: &[Var]) -> Vec<Term> {
        vars.iter().map(|&var| self.specimen.model.var_term(var)).collect()
    }

    fn relation(&mut self, arguments: &[Term]) -> Relation {
        match self.random.below(6) {
            0 | 1 => self.procedure(arguments),
            2 => self.recursion(arguments),
            3 => self.even_and_odd(),
            _ => self.repetition(arguments),
        }
    }

    fn define(&mut self, name: &str, body: Body, meaning: Vec<(Var, Term)>) -> Relation {
        let name = format!("{name}{}", self.specimen.model.relations().len());
        let relation = self.model().add_relation(RelationInfo { name, body });
        self.specimen.meanings.push(meaning);
        relation
    }

    /// A relation that may be called before it has its body.
    fn declare(&mut self, name: &str, parameters: &[Var]) -> Relation {
        let body = self.specimen.model.truth(false);
        let procedure = Procedure::new(&mut self.specimen.model, parameters.to_vec(), Vec::new(), body);
        self.define(name, Body::Procedure(procedure), Vec::new())
    }

    fn complete(&mut self, relation: Relation, parameters: Vec<Var>, locals: Vec<Var>, body: Term) {
        let procedure = Procedure::new(&mut self.specimen.model, parameters, locals, body);
        let name = self.specimen.model.relations()[relation].name.clone();
        self.model().define_relation(relation, RelationInfo { name, body: Body::Procedure(procedure) });
    }

    /// `r == f(a, b)` with conditions, perhaps over a local that is a function and one that is not.
    fn procedure(&mut self, arguments: &[Term]) -> Relation {
        let (wa, wb) = (self.width_of(arguments), self.width_of(arguments));
        let parameters =
            vec![self.formal("a", wa, None), self.formal("b", wb, None), self.formal("r", wa, None)];
        let known = self.terms(&parameters);
        let mut pool = known[..2].to_vec();
        let (mut locals, mut meaning, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        if self.random.chance(50) {
            let definition = self.function(&pool, wb);
            let range = self.random.chance(30).then(|| (self.random.value(wb), self.random.value(wb)));
            let local = self.formal("l", wb, range);
            let term = self.specimen.model.var_term(local);
            parts.push(self.model().equal(term, definition));
            pool.push(term);
            locals.push(local);
            meaning.push((local, definition));
        }
        let value = self.function(&pool, wa);
        let result = self.model().equal(known[2], value);
        parts.push(result);
        if self.random.chance(40) {
            let width = Width::new(1 + self.random.below(2) as u32).expect("a width of 1 to 64");
            let local = self.formal("h", width, None);
            locals.push(local);
            pool.push(self.specimen.model.var_term(local));
            parts.push(self.truth(&pool));
            // The result may depend on it.
            let other = self.function(&pool, wa);
            let other = self.model().equal(known[2], other);
            let last = parts.len() - 2;
            parts[last] = self.model().any([parts[last], other]);
        }
        if self.random.chance(30) {
            parts.push(self.truth(&pool));
        }
        let body = self.model().all(parts);
        let procedure = Procedure::new(&mut self.specimen.model, parameters, locals, body);
        self.define("rel", Body::Procedure(procedure), meaning)
    }

    /// `p(n, a, r)`: `r == a` at 0, else one or two calls with `n - 1`.
    fn recursion(&mut self, arguments: &[Term]) -> Relation {
        let wa = self.width_of(arguments);
        let wn = Width::new(1 + self.random.below(3) as u32).expect("a width of 1 to 64");
        let parameters =
            vec![self.formal("n", wn, None), self.formal("a", wa, None), self.formal("r", wa, None)];
        let relation = self.declare("rec", &parameters);
        let known = self.terms(&parameters);
        let (n, a, r) = (known[0], known[1], known[2]);
        let same = self.model().equal(r, a);
        let less = self.model().sum(wn, wn.mask(), [(1, n)]);
        let zero = self.model().constant_term(wn, 0);
        let at_end = self.model().equal(n, zero);
        let mut calls = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let next = self.function(&[n, a], wa);
            calls.push(self.model().call(relation, [less, next, r]));
        }
        let condition = self.truth(&[n, a]);
        let again = match (calls[..].len(), self.random.below(3)) {
            (1, 0) => calls[0],
            (1, _) => self.model().any([condition, calls[0]]),
            (_, 0) => self.model().all(calls),
            (_, 1) => self.model().select(condition, calls[0], calls[1]),
            _ => self.model().any(calls),
        };
        let body = match self.random.chance(50) {
            true => self.model().select(at_end, same, again),
            false => {
                let more = self.model().not(at_end);
                let (ends, goes_on) = (self.model().all([at_end, same]), self.model().all([more, again]));
                self.model().any([ends, goes_on])
            }
        };
        self.complete(relation, parameters, Vec::new(), body);
        relation
    }

    /// Two relations that call each other.
    fn even_and_odd(&mut self) -> Relation {
        let width = Width::new(1 + self.random.below(4) as u32).expect("a width of 1 to 64");
        let (x, y) = (self.formal("n", width, None), self.formal("n", width, None));
        let (even, odd) = (self.declare("even", &[x]), self.declare("odd", &[y]));
        let less = |builder: &mut Self, var: Var| {
            let term = builder.specimen.model.var_term(var);
            let zero = builder.model().constant_term(width, 0);
            (builder.model().equal(term, zero), builder.model().sum(width, width.mask(), [(1, term)]))
        };
        let (is_zero, before) = less(self, x);
        let odd_before = self.model().call(odd, [before]);
        let body = self.model().any([is_zero, odd_before]);
        self.complete(even, vec![x], Vec::new(), body);
        let (is_zero, before) = less(self, y);
        let not_zero = self.model().not(is_zero);
        let even_before = self.model().call(even, [before]);
        let body = self.model().all([not_zero, even_before]);
        self.complete(odd, vec![y], Vec::new(), body);
        if self.random.chance(50) { even } else { odd }
    }

    /// A loop with a narrow counter.
    fn repetition(&mut self, arguments: &[Term]) -> Relation {
        let counter = Width::new(1 + self.random.below(3) as u32).expect("a width of 1 to 64");
        let mut widths = vec![counter];
        (0..1 + self.random.below(2)).for_each(|_| widths.push(self.width_of(arguments)));
        let wo = self.width_of(arguments);
        let outer = vec![self.formal("o", wo, None)];
        let state: Vec<Var> = widths.iter().map(|&w| self.formal("s", w, None)).collect();
        let mut pool = self.terms(&state);
        let i = pool[0];
        pool.extend(self.terms(&outer));
        let up = self.random.chance(50);
        let bound = if up { self.random.value(counter) } else { 0 };
        let bound = self.model().constant_term(counter, bound);
        let condition = self.model().compare(if up { IntCmp::Ult } else { IntCmp::Ne }, i, bound);
        let condition = if self.random.chance(20) {
            let other = self.truth(&pool);
            self.model().all([condition, other])
        } else {
            condition
        };
        let (mut locals, mut meaning, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        if self.random.chance(30) {
            let width = self.width_of(arguments);
            let definition = self.function(&pool, width);
            let local = self.formal("l", width, None);
            let term = self.specimen.model.var_term(local);
            parts.push(self.model().equal(definition, term));
            pool.push(term);
            locals.push(local);
            meaning.push((local, definition));
        }
        let mut next = Vec::new();
        for (n, &width) in widths.iter().enumerate() {
            let step = if up { 1 } else { counter.mask() };
            let value =
                if n == 0 { self.model().sum(width, step, [(1, i)]) } else { self.function(&pool, width) };
            let range = (n > 0 && self.random.chance(20))
                .then(|| (self.random.value(width), self.random.value(width)));
            let var = self.formal("next", width, range);
            let term = self.specimen.model.var_term(var);
            parts.push(self.model().equal(term, value));
            next.push(var);
            meaning.push((var, value));
        }
        if self.random.chance(25) {
            pool.extend(self.terms(&next));
            parts.push(self.truth(&pool));
        }
        let body = self.model().all(parts);
        let variables = LoopVariables { outer, state, next, locals };
        let turn = Loop::new(&mut self.specimen.model, variables, condition, body);
        self.define("turns", Body::Loop(turn), meaning)
    }

    /// A term of a width over some terms, a few nodes deep.
    fn function(&mut self, pool: &[Term], width: Width) -> Term {
        let mut terms = pool.to_vec();
        for _ in 0..1 + self.random.below(3) {
            let a = self.random.pick(&terms);
            let w = self.specimen.model.width(a);
            let b = self.fitting(&terms, w);
            let term = match self.random.below(8) {
                0..=3 => {
                    let op = self.random.pick(&IntOp::ALL).0;
                    self.model().op(op, a, b)
                }
                4 => {
                    let (c, constant) = (self.random.value(w), self.random.value(w));
                    self.model().sum(w, constant, [(c, a), (1, b)])
                }
                5 => {
                    let cmp = self.random.pick(&IntCmp::ALL).0;
                    self.model().compare(cmp, a, b)
                }
                6 => self.model().not(a),
                _ => {
                    let condition = self.fitting(&terms, Width::W1);
                    self.model().select(condition, a, b)
                }
            };
            terms.push(term);
        }
        let last = terms[terms.len() - 1];
        let signed = self.random.chance(50);
        self.model().resize(last, width, signed)
    }

    fn truth(&mut self, pool: &[Term]) -> Term {
        let a = self.random.pick(pool);
        let width = self.specimen.model.width(a);
        let b = self.function(pool, width);
        let cmp = self.random.pick(&IntCmp::ALL).0;
        self.model().compare(cmp, a, b)
    }

    /// A term of a width: one of these, a number, or one made fit.
    fn fitting(&mut self, terms: &[Term], width: Width) -> Term {
        let fitting: Vec<Term> =
            terms.iter().copied().filter(|&term| self.specimen.model.width(term) == width).collect();
        if fitting.is_empty() || self.random.chance(25) {
            if self.random.chance(50) {
                let value = self.random.value(width);
                return self.model().constant_term(width, value);
            }
            let term = self.random.pick(terms);
            let signed = self.random.chance(50);
            return self.model().resize(term, width, signed);
        }
        self.random.pick(&fitting)
    }

    fn call(&mut self, relation: Relation, arguments: &[Term]) -> Term {
        let widths: Vec<Width> = match &self.specimen.model.relations()[relation].body {
            Body::Procedure(procedure) => {
                procedure.parameters.iter().map(|&var| self.specimen.model.vars()[var].width).collect()
            }
            Body::Loop(turn) => {
                let vars = turn.outer.iter().chain(&turn.state).chain(&turn.state);
                vars.map(|&var| self.specimen.model.vars()[var].width).collect()
            }
            Body::Supplied { parameters } => parameters.clone(),
        };
        let values: Vec<Term> = widths.into_iter().map(|width| self.fitting(arguments, width)).collect();
        self.model().call(relation, values)
    }

    /// A call where its truth helps.
    fn in_context(&mut self, call: Term, arguments: &[Term]) -> Term {
        let other = self.truth(arguments);
        match self.random.below(6) {
            0 => self.model().any([other, call]),
            1 => self.model().select(other, call, other),
            2 => self.model().all([other, call]),
            _ => call,
        }
    }
}
