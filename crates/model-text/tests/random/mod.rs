//! Random models over all kinds of nodes, for property tests.
#![allow(dead_code)] // Not every test uses all of it.

use quipu_model::{
    Assignment, Body, Loop, LoopVariables, Model, Procedure, Reading, Relation, RelationInfo, Role, Term,
    Var, VarInfo,
};
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, IntCmp, IntOp, IntUnary, Width,
};

/// Splitmix64.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A value with many bits, few bits, or near a bound.
    pub fn value(&mut self, width: Width) -> u64 {
        let value = match self.below(5) {
            0 => self.bits() % 4,
            1 => width.mask().wrapping_sub(self.bits() % 3),
            2 => width.min_signed().wrapping_sub(self.bits() % 2),
            3 => u64::from(width.bits()).wrapping_add(self.bits() % 3).wrapping_sub(1),
            _ => self.bits(),
        };
        width.wrap(value)
    }
}

const WIDTHS: [u32; 12] = [1, 1, 2, 3, 7, 8, 8, 16, 32, 33, 63, 64];
/// Mostly those of floats.
const FLOAT_WIDTHS: [u32; 10] = [1, 1, 7, 32, 32, 32, 32, 64, 64, 64];
const NAMES: [&str; 16] =
    ["x", "y", "t1", "a[0]", "a[1]", "b[0]", "i2", "var", "x.y", "", "solve", "f", "all", "in", "a[1]", "é"];

/// A random model; with relations if `calls`.
pub fn model(seed: u64, calls: bool) -> Model {
    generate(seed, calls, false)
}

/// A random model with floats among the integers.
pub fn float_model(seed: u64, calls: bool) -> Model {
    generate(seed, calls, true)
}

fn generate(seed: u64, calls: bool, floats: bool) -> Model {
    let mut generator = Generator {
        rng: Rng::new(seed),
        model: Model::new(),
        pool: Vec::new(),
        relations: Vec::new(),
        floats,
    };
    if calls {
        generator.add_relations();
    }
    generator.add_top();
    generator.model
}

/// Random values for all variables, mostly inside their ranges.
pub fn assignment(model: &Model, rng: &mut Rng) -> Assignment {
    model.vars().iter().map(|info| rng.value(info.width)).collect()
}

struct Generator {
    rng: Rng,
    model: Model,
    /// Terms that may become operands.
    pool: Vec<Term>,
    relations: Vec<(Relation, Vec<Width>)>,
    floats: bool,
}

impl Generator {
    fn width(&mut self) -> Width {
        let width = if self.floats { self.rng.pick(&FLOAT_WIDTHS) } else { self.rng.pick(&WIDTHS) };
        Width::new(width).unwrap()
    }

    /// How a variable of a width is read.
    fn reading(&mut self, width: Width) -> Reading {
        if self.floats && matches!(width.bits(), 32 | 64) && self.rng.below(3) > 0 {
            return Reading::Float;
        }
        Reading::integer(self.rng.below(2) == 0)
    }

    fn add_top(&mut self) {
        self.pool.clear();
        let count = 2 + self.rng.below(5);
        let mut used = Vec::new();
        for _ in 0..count {
            let name = self.rng.pick(&NAMES);
            let role = if used.contains(&name) || self.rng.below(4) == 0 { Role::Local } else { Role::Input };
            used.push(name);
            self.var(name, role);
        }
        if self.rng.below(2) == 0 {
            let width = self.width();
            let reading = self.reading(width);
            for n in 0..3 {
                let info =
                    VarInfo { name: format!("arr[{n}]"), width, reading, range: None, role: Role::Input };
                let var = self.model.add_var(info);
                self.pool.push(self.model.var_term(var));
            }
            let items: Vec<Term> = self.pool[self.pool.len() - 3..].to_vec();
            let index = self.rng.pick(&self.pool);
            let element = self.model.element(index, items);
            self.pool.push(element);
        }
        let nodes = 5 + self.rng.below(40);
        self.grow(nodes);
        for _ in 0..1 + self.rng.below(4) {
            let assertion = self.positive(3);
            self.model.assert(assertion);
        }
        if self.rng.below(3) == 0 {
            let again = self.model.assertions()[0];
            self.model.assert(again);
        }
    }

    fn var(&mut self, name: &str, role: Role) -> Var {
        let width = self.width();
        let range = (self.rng.below(3) == 0).then(|| (self.rng.value(width), self.rng.value(width)));
        let reading = self.reading(width);
        let var = self.model.add_var(VarInfo { name: name.to_owned(), width, reading, range, role });
        self.pool.push(self.model.var_term(var));
        var
    }

    fn vars(&mut self, most: usize) -> Vec<Var> {
        (0..self.rng.below(most + 1))
            .map(|_| {
                let name = self.rng.pick(&NAMES);
                self.var(name, Role::Formal)
            })
            .collect()
    }

    fn add_relations(&mut self) {
        let count = 1 + self.rng.below(3);
        let mut shapes = Vec::new();
        for n in 0..count {
            let (outer, state) = (self.vars(2), self.vars(3));
            let next: Vec<Var> = state
                .iter()
                .map(|&var| {
                    let range = (self.rng.below(3) == 0).then_some((1, 0));
                    let info = VarInfo { range, ..self.model.vars()[var].clone() };
                    self.model.add_var(info)
                })
                .collect();
            let kind = self.rng.below(5);
            let sequence: Vec<Var> = match kind {
                0 | 1 => outer.iter().chain(&state).copied().collect(),
                2 => state.clone(),
                _ => outer.iter().chain(&state).chain(&state).copied().collect(),
            };
            let widths: Vec<Width> = sequence.iter().map(|&var| self.model.vars()[var].width).collect();
            let name = ["f", "sum", "x", "rel", "f"][self.rng.below(5)].to_owned();
            let body = Body::Supplied { parameters: widths.clone() };
            let relation = self.model.add_relation(RelationInfo { name, body });
            self.relations.push((relation, widths));
            shapes.push((n, kind, outer, state, next));
        }
        for (n, kind, outer, state, next) in shapes {
            self.define(n, kind, outer, state, next);
        }
    }

    fn define(&mut self, n: usize, kind: usize, outer: Vec<Var>, state: Vec<Var>, next: Vec<Var>) {
        self.pool = outer.iter().chain(&state).map(|&var| self.model.var_term(var)).collect();
        let relation = self.relations[n].0;
        let name = self.model.relations()[relation].name.clone();
        let nodes = self.rng.below(15);
        let body = match kind {
            0 | 1 => {
                let locals = self.vars(3);
                self.grow(nodes);
                let body = self.positive(3);
                let parameters = outer.iter().chain(&state).copied().collect();
                Body::Procedure(Procedure::new(&mut self.model, parameters, locals, body))
            }
            2 => return,
            _ => {
                self.grow(5);
                let condition = self.truth();
                self.pool.extend(next.iter().map(|&var| self.model.var_term(var)));
                let locals = self.vars(2);
                self.grow(nodes);
                let body = self.positive(3);
                let variables = LoopVariables { outer, state, next, locals };
                Body::Loop(Loop::new(&mut self.model, variables, condition, body))
            }
        };
        self.model.define_relation(relation, RelationInfo { name, body });
    }

    /// A random term of a width: from the pool, a number, or made fit.
    fn operand(&mut self, width: Width) -> Term {
        let fitting: Vec<Term> =
            self.pool.iter().copied().filter(|&term| self.model.width(term) == width).collect();
        if self.rng.below(6) == 0 || self.pool.is_empty() {
            let value = self.rng.value(width);
            return self.model.constant_term(width, value);
        }
        if fitting.is_empty() || self.rng.below(6) == 0 {
            let term = self.rng.pick(&self.pool.clone());
            let signed = self.rng.below(2) == 0;
            return self.model.resize(term, width, signed);
        }
        self.rng.pick(&fitting)
    }

    fn truth(&mut self) -> Term {
        self.operand(Width::W1)
    }

    /// Adds random nodes to the pool.
    fn grow(&mut self, nodes: usize) {
        for _ in 0..nodes {
            let width = match self.pool.last() {
                Some(&last) if self.rng.below(3) > 0 => self.model.width(last),
                _ => self.width(),
            };
            let term = self.node(width);
            self.pool.push(term);
        }
    }

    fn node(&mut self, width: Width) -> Term {
        if self.floats && self.rng.below(3) > 0 {
            return self.float_node();
        }
        let (a, b) = (self.operand(width), self.operand(width));
        match self.rng.below(12) {
            0 => self.model.not(a),
            1..=3 => self.model.op(self.rng.pick(&IntOp::ALL).0, a, b),
            4 => self.model.unary(self.rng.pick(&IntUnary::ALL).0, a),
            5 => self.model.compare(self.rng.pick(&IntCmp::ALL).0, a, b),
            6 => {
                let guard = self.guard(width);
                self.model.guard(guard, a, b)
            }
            7 => {
                let (to, signed) = (self.width(), self.rng.below(2) == 0);
                self.model.resize(a, to, signed)
            }
            8 => {
                let condition = self.truth();
                self.model.select(condition, a, b)
            }
            9 => {
                let items: Vec<Term> = (0..self.rng.below(4)).map(|_| self.truth()).collect();
                if self.rng.below(2) == 0 { self.model.all(items) } else { self.model.any(items) }
            }
            10 => {
                let parts: Vec<(u64, Term)> =
                    (0..self.rng.below(4)).map(|_| (self.rng.value(width), self.operand(width))).collect();
                let constant = self.rng.value(width);
                self.model.sum(width, constant, parts)
            }
            _ => {
                let items: Vec<Term> = (0..1 + self.rng.below(4)).map(|_| self.operand(width)).collect();
                let index_width = self.width();
                let index = self.operand(index_width);
                self.model.element(index, items)
            }
        }
    }

    /// A function of floats, a conversion from or to them, or a guard.
    fn float_node(&mut self) -> Term {
        let w = self.rng.pick(&[FloatWidth::F32, FloatWidth::F64]);
        let operands = [0; 3].map(|_| self.operand(w.width()));
        let function = match self.rng.below(7) {
            0 | 1 => FloatFn::Op(self.rng.pick(&FloatOp::ALL).0),
            2 => FloatFn::Unary(self.rng.pick(&FloatUnary::ALL).0),
            3 => FloatFn::Fma,
            4 => FloatFn::Compare(self.rng.pick(&FloatCmp::ALL).0),
            5 => return self.float_cast(w, operands[0]),
            _ => {
                let (to, signed) = (self.width(), self.rng.below(2) == 0);
                let second = operands[self.rng.below(2)];
                return self.model.guard(Guard::FloatFits { from: w, to, signed }, operands[0], second);
            }
        };
        self.model.float(function, w, &operands[..function.arity()])
    }

    fn float_cast(&mut self, w: FloatWidth, a: Term) -> Term {
        let other = self.width();
        let integer = self.operand(other);
        match self.rng.below(7) {
            0 => self.model.cast(Cast::FloatToSigned(w, other), a),
            1 => self.model.cast(Cast::FloatToUnsigned(w, other), a),
            2 => self.model.cast(Cast::SignedToFloat(other, w), integer),
            3 => self.model.cast(Cast::UnsignedToFloat(other, w), integer),
            4 => self.model.cast(if w == FloatWidth::F32 { Cast::Widen } else { Cast::Narrow }, a),
            5 => self.model.cast(Cast::FloatBits(w), a),
            _ => self.model.cast(Cast::BitsFloat(w), a),
        }
    }

    fn guard(&mut self, w: Width) -> Guard {
        let shifted = self.width();
        self.rng.pick(&[
            Guard::AddFits(w),
            Guard::SubFits(w),
            Guard::MulFits(w),
            Guard::NonZero(w),
            Guard::AnyBit(w),
            Guard::QuotientFits(w),
            Guard::ShiftInRange { amount: w, shifted },
            Guard::ShlFits(w),
            Guard::IndexBelow(w),
            Guard::IndexAtMost(w),
        ])
    }

    /// A truth value that may call relations.
    fn positive(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return self.truth();
        }
        match self.rng.below(6) {
            0 => self.truth(),
            1 if !self.relations.is_empty() => {
                let index = self.rng.below(self.relations.len());
                let (relation, widths) = self.relations[index].clone();
                let arguments: Vec<Term> = widths.iter().map(|&width| self.operand(width)).collect();
                self.model.call(relation, arguments)
            }
            2 => {
                let condition = self.truth();
                let (a, b) = (self.positive(depth - 1), self.positive(depth - 1));
                self.model.select(condition, a, b)
            }
            3 => {
                let again = self.positive(depth - 1);
                let other = self.positive(depth - 1);
                let pair = self.model.any([again, other]);
                self.model.all([pair, again])
            }
            n => {
                let items: Vec<Term> = (0..self.rng.below(4)).map(|_| self.positive(depth - 1)).collect();
                if n == 4 { self.model.all(items) } else { self.model.any(items) }
            }
        }
    }
}
