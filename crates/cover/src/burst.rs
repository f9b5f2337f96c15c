//! Cheap inputs first: constants of the program, values at the borders of types, small ones, equal ones.

use quipu_inputs::{Inputs, Interface, LeafInfo, Mentioned};
use quipu_interp::{InputKind, InputRequest};
use quipu_ir::{Module, Terminator, Ty, ValueDef};
use quipu_num::Width;

use crate::options::Options;
use crate::pool::Pool;
use crate::random::Random;

/// So many numbers are swept through all combinations, in so many runs.
const MOST_SWEPT: usize = 3;
const SWEPT_RUNS: u64 = 4096;
/// A sweep ends after so many instructions of the interpreter.
const SWEPT_STEPS: u64 = 20_000_000;

/// A burst that has brought nothing for this long ends.
const PATIENCE: u64 = 500;

/// Runs inputs until nothing is gained any more.
pub(crate) fn burst(pool: &mut Pool<'_>, module: &Module, interface: &Interface, options: &Options) {
    shower(pool, module, interface, options, options.runs, PATIENCE);
    sweep(pool, module, interface, options);
}

/// Tries all combinations of small numbers and constants of the program, where there are few inputs. What a loop does
/// to a list is hard to compute backwards, and quickly tried.
fn sweep(pool: &mut Pool<'_>, module: &Module, interface: &Interface, options: &Options) {
    use quipu_base::Id;
    let numbers: Vec<quipu_inputs::Leaf> = interface
        .leaves
        .entries()
        .filter(|(_, info)| info.targets.is_none() && matches!(info.ty, Ty::Int(_)))
        .map(|(leaf, _)| leaf)
        .collect();
    // Who limits the turns of loops does not want to know what lies behind.
    if options.turns.is_some()
        || numbers.is_empty()
        || numbers.len() > MOST_SWEPT
        || numbers.len() < interface.leaves.len()
    {
        return;
    }
    let each = (SWEPT_RUNS as f64).powf(1.0 / numbers.len() as f64) as usize;
    let near = constants(module, interface).into_iter().flat_map(|value| [value, value.wrapping_add(1)]);
    let small = (0..each as i64).flat_map(|n| [n, -n]);
    let mut values: Vec<i64> = near.take(each / 2).chain(small).collect();
    let mut seen = std::collections::BTreeSet::new();
    values.retain(|value| seen.insert(*value));
    values.truncate(each);
    let before = pool.steps();
    for n in 0..values.len().pow(numbers.len() as u32) {
        let tired = pool.steps() - before > SWEPT_STEPS;
        if tired || pool.is_complete() || options.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            return;
        }
        let mut inputs = Inputs::zero(interface);
        let mut rest = n;
        for &leaf in &numbers {
            let bits = interface.leaves[leaf].width().from_signed(values[rest % values.len()]);
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
    runs: u64,
    patience: u64,
) {
    let mut source = Source::new(module, interface, options.seed);
    let (mut last_gain, mut n) = (0, 0);
    while n < runs && n - last_gain < patience && !pool.is_complete() {
        if options.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            return;
        }
        let inputs = source.next(n, pool);
        let mut random = source.random.clone();
        let constants = &source.constants;
        let mut fill = |request: &InputRequest<'_>| answer(&mut random, constants, request);
        if pool.try_filled(&inputs, &mut fill) {
            last_gain = n;
        }
        source.random = random;
        n += 1;
    }
}

/// An answer of the environment.
fn answer(random: &mut Random, constants: &[i64], request: &InputRequest<'_>) -> u64 {
    match request.ty {
        _ if request.kind == InputKind::End => u64::from(random.below(8) == 0),
        Ty::Int(width) => width.wrap(number(random, constants, width)),
        Ty::Float(width) => float(random, width.bits()),
        Ty::Ptr => 0,
    }
}

/// Makes up inputs.
struct Source<'a> {
    interface: &'a Interface,
    constants: Vec<i64>,
    random: Random,
}

impl<'a> Source<'a> {
    fn new(module: &Module, interface: &'a Interface, seed: u64) -> Source<'a> {
        Source { interface, constants: constants(module, interface), random: Random::new(seed) }
    }

    fn next(&mut self, n: u64, pool: &Pool<'_>) -> Inputs {
        let fixed = 2 + self.constants.len().min(40) as u64;
        match n {
            0 => self.same(0),
            1 => self.same(1),
            n if n < fixed => self.same(self.constants[n as usize - 2]),
            n if n % 2 == 1 && !pool.found.is_empty() => self.changed(pool),
            _ => self.fresh(),
        }
    }

    /// One number for all inputs.
    fn same(&self, number: i64) -> Inputs {
        let mut inputs = Inputs::zero(self.interface);
        for (leaf, info) in self.interface.leaves.entries() {
            let bits = match info.ty {
                Ty::Float(width) => float_bits(width.bits(), number as f64),
                _ => info.width().from_signed(number),
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
        let info = &self.interface.leaves[quipu_inputs::Leaf::new(n)];
        let width = info.width();
        let bits = match self.random.below(6) {
            0 if !others.is_empty() => self.random.pick(others),
            _ if info.targets.is_some() => self.target(info.limits().1),
            _ => match info.ty {
                Ty::Float(float_width) => float(&mut self.random, float_width.bits()),
                _ => number(&mut self.random, &self.constants, width),
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
    width.wrap(low.wrapping_add(step))
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

fn float(random: &mut Random, bits: u32) -> u64 {
    let value = match random.below(6) {
        0 => 0.0,
        1 => random.below(20) as f64 - 10.0,
        2 => (random.below(2000) as f64 - 1000.0) / 8.0,
        3 => f64::from_bits(random.next()),
        4 => random.pick(&[1.0, -1.0, 1e-30, 1e30, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY]),
        _ => random.below(1000) as f64 / 1000.0,
    };
    float_bits(bits, value)
}

fn float_bits(bits: u32, value: f64) -> u64 {
    if bits == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
}

/// The numbers that the program mentions, small ones first.
fn constants(module: &Module, interface: &Interface) -> Vec<i64> {
    let mut found = Vec::new();
    for func in Mentioned::by(module, interface.func).functions {
        let Some(code) = module.functions[func].code() else { continue };
        found.extend(code.values.iter().filter_map(|value| match (value.ty, value.def) {
            (Ty::Int(width), ValueDef::Const(bits)) => Some(width.signed(bits)),
            _ => None,
        }));
        for block in code.blocks.iter() {
            if let Terminator::Switch { value, cases, .. } = &block.term {
                let width = code.ty(*value).width().expect("a switch is on a number");
                found.extend(cases.iter().flat_map(|case| [width.signed(case.low), width.signed(case.high)]));
            }
        }
    }
    found.sort_by_key(|value| (value.unsigned_abs(), *value < 0));
    found.dedup();
    found
}
