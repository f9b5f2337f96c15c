//! Cheap inputs first: constants of the program, values at the borders of types, small ones, equal ones.

use quipu_inputs::{Inputs, Interface, Leaf, LeafInfo, Mentioned};
use quipu_interp::{END_AHEAD, InputKind, InputRequest, OTHER_AHEAD};
use quipu_ir::{Module, Terminator, Ty, ValueDef};
use quipu_num::{FloatWidth, Width, number_of_rank, rank};

use crate::clock::Clock;
use crate::floats::{around, bits_of, float};
use crate::options::Options;
use crate::pool::Pool;
use crate::random::Random;

/// So many numbers are swept through all combinations, in so many runs.
const MOST_SWEPT: usize = 3;
const SWEPT_RUNS: u64 = 4096;
/// A sweep ends after so many instructions of the interpreter.
const SWEPT_STEPS: u64 = 20_000_000;

/// A burst that has brought nothing for so many runs, or for so many instructions of the interpreter, ends.
const PATIENCE: Patience = Patience { runs: 500, steps: 20_000_000 };

/// For how long nothing may be gained.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    pub runs: u64,
    pub steps: u64,
}

/// Runs inputs until nothing is gained any more.
pub(crate) fn burst(
    pool: &mut Pool<'_>,
    module: &Module,
    interface: &Interface,
    options: &Options,
    clock: &Clock,
) {
    shower(pool, module, interface, options, clock, (options.runs, PATIENCE));
    sweep(pool, module, interface, options, clock);
}

/// Tries all combinations of small numbers and constants of the program, where there are few inputs. What a loop does
/// to a list is hard to compute backwards, and quickly tried.
fn sweep(pool: &mut Pool<'_>, module: &Module, interface: &Interface, options: &Options, clock: &Clock) {
    use quipu_base::Id;
    let is_number = |info: &LeafInfo| info.targets.is_none() && info.ty != Ty::Ptr;
    let numbers: Vec<Leaf> =
        interface.leaves.entries().filter(|(_, info)| is_number(info)).map(|(leaf, _)| leaf).collect();
    // Who limits the turns of loops does not want to know what lies behind.
    if options.turns.is_some()
        || numbers.is_empty()
        || numbers.len() > MOST_SWEPT
        || numbers.len() < interface.leaves.len()
    {
        return;
    }
    let each = (SWEPT_RUNS as f64).powf(1.0 / numbers.len() as f64) as usize;
    let constants = Constants::of(module, interface);
    let values: Vec<Vec<u64>> =
        numbers.iter().map(|&leaf| constants.swept(&interface.leaves[leaf], each)).collect();
    let before = pool.steps();
    for n in 0..values.iter().map(Vec::len).product() {
        let tired = pool.steps() - before > SWEPT_STEPS;
        if tired || pool.is_complete() || clock.stopped().is_some() {
            return;
        }
        let mut inputs = Inputs::zero(interface);
        let mut rest = n;
        for (&leaf, values) in numbers.iter().zip(&values) {
            let bits = values[rest % values.len()];
            rest /= values.len();
            if interface.leaves[leaf].allows(bits) {
                inputs.leaves[leaf.index()] = bits;
            }
        }
        pool.try_inputs(&inputs);
    }
}

/// Runs so many inputs, but no longer than patience lasts without any gain.
pub(crate) fn shower(
    pool: &mut Pool<'_>,
    module: &Module,
    interface: &Interface,
    options: &Options,
    clock: &Clock,
    (runs, patience): (u64, Patience),
) {
    let mut source = Source::new(module, interface, options.seed);
    let (mut last_gain, mut n) = ((0, pool.steps()), 0);
    let is_patient = |(run, steps): (u64, u64), n: u64, pool: &Pool<'_>| {
        n - run < patience.runs && pool.steps() - steps < patience.steps
    };
    while n < runs && is_patient(last_gain, n, pool) && !pool.is_complete() {
        if clock.stopped().is_some() {
            return;
        }
        let inputs = source.next(n, pool);
        let mut random = source.random.clone();
        let Source { constants, interface, .. } = &source;
        let mut fill = |request: &InputRequest<'_>| answer(&mut random, constants, interface, request);
        if pool.try_filled(&inputs, &mut fill) {
            last_gain = (n, pool.steps());
        }
        source.random = random;
        n += 1;
    }
}

/// An answer of the environment.
fn answer(
    random: &mut Random,
    constants: &Constants,
    interface: &Interface,
    request: &InputRequest<'_>,
) -> u64 {
    match request.ty {
        _ if request.kind == InputKind::Refusal => u64::from(random.below(8) == 0),
        _ if request.kind == InputKind::End => match random.below(8) {
            0 => END_AHEAD,
            1 => OTHER_AHEAD,
            _ => 0,
        },
        // A program that waits for the end of its input should not wait long.
        Ty::Int(_) if request.kind == InputKind::Byte && random.below(8) == 0 => request.kind.nothing_more(),
        Ty::Int(width) if request.kind == InputKind::Byte => {
            number(random, &constants.integers, width) & 0xff
        }
        Ty::Int(width) => width.wrap(number(random, &constants.integers, width)),
        Ty::Float(width) => {
            let bits = float(random, &constants.floats, width);
            let is_finite = number_of_rank(width, rank(width, bits)).is_finite();
            if is_finite || !interface.finite_answers { bits } else { 0 }
        }
        Ty::Ptr => 0,
    }
}

/// Makes up inputs.
struct Source<'a> {
    interface: &'a Interface,
    constants: Constants,
    random: Random,
}

impl<'a> Source<'a> {
    fn new(module: &Module, interface: &'a Interface, seed: u64) -> Source<'a> {
        Source { interface, constants: Constants::of(module, interface), random: Random::new(seed) }
    }

    fn next(&mut self, n: u64, pool: &Pool<'_>) -> Inputs {
        let Constants { integers, floats } = &self.constants;
        let integers = &integers[..integers.len().min(40)];
        // Where there are no floats, other integers are not more interesting for being constants of that kind.
        let has_floats = self.interface.leaves.iter().any(|leaf| leaf.float_width().is_some());
        let floats = if has_floats { &floats[..floats.len().min(40)] } else { &[] };
        let place = n.saturating_sub(2) as usize;
        match n {
            0 => self.same(0, 0.0),
            1 => self.same(1, 1.0),
            _ if place < integers.len() => self.same(integers[place], integers[place] as f64),
            _ if place < integers.len() + floats.len() => {
                let float = floats[place - integers.len()];
                self.same(float as i64, float)
            }
            n if n % 2 == 1 && !pool.found.is_empty() => self.changed(pool),
            _ => self.fresh(),
        }
    }

    /// One number for all inputs.
    fn same(&self, integer: i64, float: f64) -> Inputs {
        let mut inputs = Inputs::zero(self.interface);
        for (leaf, info) in self.interface.leaves.entries() {
            let bits = match info.ty {
                Ty::Float(width) => bits_of(width, float),
                _ => info.width().from_signed(integer),
            };
            if info.targets.is_some() {
                inputs.set(leaf, info.limits().1.min(1));
            } else if info.allows(bits) {
                inputs.set(leaf, bits);
            }
        }
        inputs
    }

    /// A test that was found, with a few inputs changed.
    fn changed(&mut self, pool: &Pool<'_>) -> Inputs {
        let n = self.random.below(pool.found.len());
        let mut inputs = pool.found[n].inputs.clone();
        let count = self.interface.leaves.len();
        for _ in 0..=self.random.below(3) {
            if count > 0 {
                let n = self.random.below(count);
                inputs.leaves[n] = self.value(n, &inputs.leaves);
            }
        }
        if !inputs.sequence.is_empty() && self.random.below(2) == 0 {
            let keep = self.random.below(inputs.sequence.len());
            inputs.sequence.truncate(keep);
        }
        inputs
    }

    fn fresh(&mut self) -> Inputs {
        let mut inputs = Inputs::zero(self.interface);
        for n in 0..inputs.leaves.len() {
            inputs.leaves[n] = self.value(n, &inputs.leaves[..n]);
        }
        inputs
    }

    /// A choice between so many targets: mostly the first, sometimes none or one of the others.
    fn target(&mut self, targets: u64) -> u64 {
        match self.random.below(8) {
            0 | 1 => 0,
            2 | 3 if targets > 1 => 1 + self.random.next() % targets,
            _ => 1,
        }
    }

    /// A value for a leaf, sometimes that of another one.
    fn value(&mut self, n: usize, others: &[u64]) -> u64 {
        use quipu_base::Id;
        let info = &self.interface.leaves[Leaf::new(n)];
        let width = info.width();
        // The bits of integers are odd floats.
        let alike: Vec<u64> = match info.ty {
            Ty::Float(_) => {
                let is_alike = |m: usize| self.interface.leaves[Leaf::new(m)].ty == info.ty;
                (0..others.len()).filter(|&m| is_alike(m)).map(|m| others[m]).collect()
            }
            _ => others.to_vec(),
        };
        let bits = match self.random.below(6) {
            0 if !alike.is_empty() => self.random.pick(&alike),
            _ if info.targets.is_some() => self.target(info.limits().1),
            _ => match info.ty {
                Ty::Float(format) => float(&mut self.random, &self.constants.floats, format),
                _ => number(&mut self.random, &self.constants.integers, width),
            },
        };
        fitted(info, width.wrap(bits), &mut self.random)
    }
}

/// The value itself if it is allowed, else some value that is.
fn fitted(info: &LeafInfo, bits: u64, random: &mut Random) -> u64 {
    if info.allows(bits) {
        return bits;
    }
    let (low, high) = info.limits();
    let width = info.width();
    let size = width.wrap(high.wrapping_sub(low));
    let step = match random.below(4) {
        0 => 0,
        1 => size,
        _ => random.next() % size.saturating_add(1).max(1),
    };
    info.value(width.wrap(low.wrapping_add(step)))
}

fn number(random: &mut Random, constants: &[i64], width: Width) -> u64 {
    let value = match random.below(10) {
        0..=3 => random.below(12) as i64 - 2,
        4..=6 if !constants.is_empty() => random.pick(constants) + random.below(3) as i64 - 1,
        7 => return random.pick(&[width.min_signed(), width.max_signed(), width.mask(), 0, 1]),
        8 => return random.next() >> random.below(64),
        _ => random.below(250) as i64 - 25,
    };
    width.from_signed(value)
}

/// The numbers that the program mentions, small ones first.
struct Constants {
    integers: Vec<i64>,
    /// Neither infinities nor NaNs. The integers are among them.
    floats: Vec<f64>,
}

impl Constants {
    fn of(module: &Module, interface: &Interface) -> Constants {
        let (mut integers, mut floats) = (Vec::new(), Vec::new());
        for func in Mentioned::by(module, interface.func).functions {
            let Some(code) = module.functions[func].code() else { continue };
            for value in code.values.iter() {
                match (value.ty, value.def) {
                    (Ty::Int(width), ValueDef::Const(bits)) => integers.push(width.signed(bits)),
                    (Ty::Float(width), ValueDef::Const(bits)) => {
                        floats.push(number_of_rank(width, rank(width, bits)));
                    }
                    _ => {}
                }
            }
            for block in code.blocks.iter() {
                if let Terminator::Switch { value, cases, .. } = &block.term {
                    let width = code.ty(*value).width().expect("a switch is on a number");
                    integers.extend(
                        cases.iter().flat_map(|case| [width.signed(case.low), width.signed(case.high)]),
                    );
                }
            }
        }
        integers.sort_by_key(|value| (value.unsigned_abs(), *value < 0));
        integers.dedup();
        floats.extend(integers.iter().map(|&integer| integer as f64));
        floats.retain(|float| float.is_finite());
        floats.sort_by(|a, b| a.abs().total_cmp(&b.abs()).then(b.total_cmp(a)));
        floats.dedup();
        Constants { integers, floats }
    }

    /// At most so many values for an input: near constants, and small ones.
    fn swept(&self, info: &LeafInfo, most: usize) -> Vec<u64> {
        let small = (0..most as i64).flat_map(|n| [n, -n]);
        let mut values: Vec<u64> = match info.ty {
            Ty::Float(w) => {
                self.swept_floats(w, most / 2).chain(small.map(|n| bits_of(w, n as f64))).collect()
            }
            _ => {
                let near = self.integers.iter().flat_map(|value| [*value, value.wrapping_add(1)]);
                let width = info.width();
                near.take(most / 2).chain(small).map(|value| width.from_signed(value)).collect()
            }
        };
        let mut seen = std::collections::BTreeSet::new();
        values.retain(|value| seen.insert(*value));
        values.truncate(most);
        values
    }

    fn swept_floats(&self, w: FloatWidth, most: usize) -> impl Iterator<Item = u64> + '_ {
        self.floats.iter().flat_map(move |&value| around(w, bits_of(w, value))).take(most)
    }
}
