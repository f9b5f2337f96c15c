//! Random terms over all kinds of nodes, with mixed widths, and random models made of them.

use std::ops::{Deref, DerefMut};

use quipu_model::{Assignment, Evaluation, Model, Node, Reading, Role, Term, VarInfo};
use quipu_num::{Guard, IntCmp, IntOp, IntUnary, Width};

/// Random numbers, and values.
#[derive(Clone)]
pub struct Random(quipu_base::Random);

impl Deref for Random {
    type Target = quipu_base::Random;

    fn deref(&self) -> &quipu_base::Random {
        &self.0
    }
}

impl DerefMut for Random {
    fn deref_mut(&mut self) -> &mut quipu_base::Random {
        &mut self.0
    }
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(quipu_base::Random::new(seed))
    }

    /// One of some items, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        self.0.pick(items).expect("there should be something to choose from")
    }

    /// A value of a width: often small, or near an end of a range.
    pub fn value(&mut self, width: Width) -> u64 {
        let base = match self.below(6) {
            0 => 0,
            1 => width.mask(),
            2 => width.min_signed(),
            3 => 1u64.checked_shl(self.below(64) as u32).unwrap_or(0),
            _ => self.number(),
        };
        let near = self.below(4) as u64;
        width.wrap(if self.chance(50) { base.wrapping_add(near) } else { base.wrapping_sub(near) })
    }
}

/// How large a random model is.
#[derive(Clone, Debug)]
pub struct Shape {
    pub variables: usize,
    /// The widths that occur. Width 1 always does.
    pub widths: Vec<u32>,
    /// The variables have at most this many bits together.
    pub bits: u32,
    pub terms: usize,
    pub assertions: usize,
}

impl Shape {
    /// The shape of a model that brute force can solve: at most ten bits in at most five variables.
    pub fn small(random: &mut Random) -> Shape {
        let widths = match random.below(5) {
            0 => vec![1, 2],
            1 => vec![1, 3],
            2 => vec![1, 2, 4],
            3 => vec![1, 5],
            _ => vec![2, 3, 4],
        };
        Shape {
            variables: 1 + random.below(5),
            widths,
            bits: 10,
            terms: 4 + random.below(35),
            assertions: 1 + random.below(5),
        }
    }
}

/// A random model. Everything is determined by the generator's state.
pub fn random_model(random: &mut Random, shape: &Shape) -> Model {
    let mut model = Model::new();
    add_variables(&mut model, random, shape);
    for _ in 0..shape.terms {
        random_term(&mut model, random, shape);
    }
    let truths: Vec<Term> = terms_of(&model, Width::W1);
    for _ in 0..shape.assertions {
        let term = random.pick(&truths);
        let term = if random.chance(30) { model.not(term) } else { term };
        model.assert(term);
    }
    model
}

/// A random model with at least one solution: all assertions hold in one assignment that the declarations allow.
/// Such models are tight without being contradictory, so a search in them has something to do.
pub fn planted_model(random: &mut Random, shape: &Shape) -> Model {
    let mut model = random_model(random, &Shape { assertions: 0, ..shape.clone() });
    let planted: Assignment = model.vars().iter().map(|info| allowed_value(random, info)).collect();
    plant_assertions(&mut model, random, &planted, shape.assertions);
    model
}

/// Asserts random truth values, or their opposites, as they are under an assignment.
pub fn plant_assertions(model: &mut Model, random: &mut Random, planted: &Assignment, n: usize) {
    let mut truths: Vec<Term> = terms_of(model, Width::W1);
    truths.retain(|&term| !matches!(model.node(term), Node::Const(_) | Node::Var(_) | Node::Call(..)));
    if truths.is_empty() {
        return;
    }
    for _ in 0..n {
        let term = random.pick(&truths);
        let holds = Evaluation::new(model, planted).value(term) == 1;
        let term = if holds { term } else { model.not(term) };
        model.assert(term);
    }
}

/// A value that a declaration allows.
pub fn allowed_value(random: &mut Random, info: &VarInfo) -> u64 {
    let (first, last) = info.range.unwrap_or((0, info.width.mask()));
    let span = info.width.wrap(last.wrapping_sub(first));
    let offset = random.value(info.width);
    let offset = if span == u64::MAX { offset } else { offset % (span + 1) };
    info.width.wrap(first.wrapping_add(offset))
}

fn add_variables(model: &mut Model, random: &mut Random, shape: &Shape) {
    let mut bits = 0;
    for n in 0..shape.variables {
        let width = Width::new(random.pick(&shape.widths)).expect("a width of 1 to 64");
        bits += width.bits();
        if bits > shape.bits && n > 0 {
            break;
        }
        let range = random.chance(30).then(|| (random.value(width), random.value(width)));
        let signed = random.chance(50);
        model.add_var(VarInfo {
            name: format!("x{n}"),
            width,
            reading: Reading::integer(signed),
            range,
            role: Role::Input,
        });
    }
    model.truth(true);
}

/// Adds a random node over existing terms.
pub fn random_term(model: &mut Model, random: &mut Random, shape: &Shape) -> Term {
    let a = any_term(model, random);
    let width = model.width(a);
    let b = same_width(model, random, a);
    match random.below(20) {
        0..=5 => {
            let op = random.pick(&IntOp::ALL).0;
            model.op(op, a, b)
        }
        6..=8 => {
            let cmp = random.pick(&IntCmp::ALL).0;
            model.compare(cmp, a, b)
        }
        9 => model.not(a),
        10 => {
            let op = random.pick(&IntUnary::ALL).0;
            model.unary(op, a)
        }
        11 => {
            let guard = random_guard(random, width);
            model.guard(guard, a, b)
        }
        12 | 13 => {
            let to = Width::new(random.pick(&shape.widths)).expect("a width of 1 to 64");
            let signed = random.chance(50);
            model.resize(a, to, signed)
        }
        14 | 15 => {
            let truths = terms_of(model, Width::W1);
            let condition = random.pick(&truths);
            model.select(condition, a, b)
        }
        16 => connective(model, random),
        17 | 18 => linear_sum(model, random, a),
        _ => element(model, random, a),
    }
}

fn connective(model: &mut Model, random: &mut Random) -> Term {
    let truths = terms_of(model, Width::W1);
    let n = random.below(4);
    let items: Vec<Term> = (0..n).map(|_| random.pick(&truths)).collect();
    if random.chance(50) { model.all(items) } else { model.any(items) }
}

fn linear_sum(model: &mut Model, random: &mut Random, a: Term) -> Term {
    let width = model.width(a);
    let n = 1 + random.below(3);
    let parts: Vec<(u64, Term)> = (0..n)
        .map(|_| {
            let part = same_width(model, random, a);
            (random.value(width), part)
        })
        .collect();
    let constant = random.value(width);
    model.sum(width, constant, parts)
}

fn element(model: &mut Model, random: &mut Random, a: Term) -> Term {
    let index = any_term(model, random);
    let n = 1 + random.below(4);
    let items: Vec<Term> = (0..n).map(|_| same_width(model, random, a)).collect();
    model.add(Node::Element(index, items.into()), model.width(a))
}

fn random_guard(random: &mut Random, w: Width) -> Guard {
    let shifted = Width::new(1 + random.below(64) as u32).expect("a width of 1 to 64");
    random.pick(&[
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

fn any_term(model: &Model, random: &mut Random) -> Term {
    let terms: Vec<Term> = model.terms().collect();
    // Recent terms are preferred, so that the graph gets deep.
    let n = terms.len();
    if random.chance(60) { terms[n - 1 - random.below(n.min(6))] } else { random.pick(&terms) }
}

/// A term as wide as another, sometimes a number.
fn same_width(model: &mut Model, random: &mut Random, like: Term) -> Term {
    let width = model.width(like);
    if random.chance(25) {
        let value = random.value(width);
        return model.constant_term(width, value);
    }
    let terms = terms_of(model, width);
    random.pick(&terms)
}

fn terms_of(model: &Model, width: Width) -> Vec<Term> {
    model.terms().filter(|&term| model.width(term) == width).collect()
}
