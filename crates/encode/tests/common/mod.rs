//! Compares what an encoding says with what the interpreter does, on made-up inputs.
//!
//! On a clean run both take the same edges. A run that is not clean may go on in the encoding, but whatever the
//! interpreter did before the event is in the encoding too, before its first failed check: else "unreachable" would
//! be said of something that is reached.

// Every test file uses its part of this one.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quipu_encode::{Encoder, Encoding, Tracker, Unwinding};
use quipu_inputs::{Inputs, Interface, Runner, Shapes};
use quipu_interp::{Limits, Observer, Outcome};
use quipu_ir::{Block, Func, Module};
use quipu_model::{Assignment, Evaluation, Model, Reading, VarInfo};
use quipu_num::{FloatWidth, Width, rank};

type Edge = (Func, Block, usize);

#[derive(Default)]
struct Edges(BTreeSet<Edge>);

/// How many runs were compared, and why the others were not.
#[derive(Default, Debug)]
pub struct Tally {
    /// Both did the same.
    pub same: usize,
    /// The run was not clean, and the encoding says more than the interpreter did.
    pub more: usize,
    /// The encoding ends before the run does; it agrees up to there.
    pub cut: usize,
    /// Values are unknown.
    pub approximate: usize,
    /// The run does not count, or the interpreter gave up.
    pub other: usize,
    /// The reasons for cuts and approximations.
    pub reasons: BTreeMap<String, usize>,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.same += other.same;
        self.more += other.more;
        self.cut += other.cut;
        self.approximate += other.approximate;
        self.other += other.other;
        for (reason, n) in other.reasons {
            *self.reasons.entry(reason).or_default() += n;
        }
    }
}

impl Observer for Edges {
    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        self.0.insert((func, block, edge));
    }
}

/// A small generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A value for a variable: often small, sometimes anything.
    fn value(&mut self, info: &VarInfo) -> u64 {
        if info.reading == Reading::Float {
            return self.float(info.width);
        }
        let bits = match self.next() % 4 {
            0 => self.next(),
            1 => (self.next() % 21).wrapping_sub(10),
            2 => self.next() % 200,
            _ => self.next() % 4,
        };
        let bits = info.width.wrap(bits);
        match info.range {
            Some((low, high)) if !info.allows(bits) => {
                let size = info.width.wrap(high.wrapping_sub(low)).saturating_add(1);
                info.width.wrap(low.wrapping_add(self.next() % size.max(1)))
            }
            _ => bits,
        }
    }
}

impl Random {
    /// The rank of a float: small numbers, fractions, special values, or anything.
    fn float(&mut self, width: Width) -> u64 {
        let specials = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            1e300,
            1e-310,
            3e38,
            1e-45,
        ];
        let value = match self.next() % 5 {
            0 => return width.wrap(self.next()),
            1 => specials[(self.next() % specials.len() as u64) as usize],
            2 => (self.next() % 21) as f64 - 10.0,
            3 => ((self.next() % 4000) as f64 - 2000.0) / 16.0,
            _ => f64::from_bits(self.next()),
        };
        match width {
            Width::W32 => rank(FloatWidth::F32, u64::from((value as f32).to_bits())),
            _ => rank(FloatWidth::F64, value.to_bits()),
        }
    }
}

pub fn compile(source: &str) -> Module {
    let options = quipu_cfront::Options::default();
    quipu_cfront::compile_source("test.c", source.as_bytes().to_vec(), &options).expect("it compiles").module
}

/// Compares on all combinations of values, or on some if there are too many. Events must be the same, too.
pub fn agree_exactly(
    module: &Module,
    func: Func,
    source: &str,
    values: &dyn Fn(&VarInfo) -> Vec<u64>,
    most: usize,
) -> Tally {
    let interface = Interface::of(module, func, &Shapes::default());
    let mut model = Model::new();
    let encoding = Encoder::new(module, &interface, Vec::new()).encode(&mut model, &Unwinding::default());
    let mut runner = Runner::new(module, &interface, Limits::default());
    let choices: Vec<Vec<u64>> = model.vars().iter().map(values).collect();
    let all = choices.iter().try_fold(1usize, |all, choice| all.checked_mul(choice.len()));
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut tally = Tally::default();
    for number in 0..all.unwrap_or(most).min(most) {
        let mut rest = number;
        let mut pick = |choice: &Vec<u64>| match all {
            Some(all) if all <= most => {
                let value = choice[rest % choice.len()];
                rest /= choice.len();
                value
            }
            _ => choice[(random.next() % choice.len() as u64) as usize],
        };
        let assignment: Assignment = choices.iter().map(&mut pick).collect();
        if let Err(difference) = compare(&model, &encoding, &mut runner, &assignment, true, &mut tally) {
            panic!("{difference}\n{source}");
        }
    }
    tally
}

/// Compares on many inputs.
pub fn agree_on(module: &Module, func: Func, source: &str, runs: usize, unwinding: &Unwinding) -> Tally {
    let interface = Interface::of(module, func, &Shapes::default());
    let mut model = Model::new();
    let mut encoder = Encoder::new(module, &interface, Vec::new());
    let encoding = encoder.encode(&mut model, unwinding);
    let limits = Limits { steps: 100_000, depth: 1000, ..Limits::default() };
    let mut runner = Runner::new(module, &interface, limits);
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut tally = Tally::default();
    for _ in 0..runs {
        let assignment: Assignment = model.vars().iter().map(|info| random.value(info)).collect();
        if let Err(difference) = compare(&model, &encoding, &mut runner, &assignment, false, &mut tally) {
            let name = &module.functions[func].source_name;
            panic!("`{name}`: {difference}\n{}\n{source}", quipu_ir::print(module));
        }
    }
    tally
}

/// Compares runs with encodings along them.
pub fn agree_along_trails(
    module: &Module,
    func: Func,
    source: &str,
    runs: usize,
    unwinding: &Unwinding,
) -> Tally {
    let interface = Interface::of(module, func, &Shapes::default());
    let mut model = Model::new();
    let mut encoder = Encoder::new(module, &interface, Vec::new());
    let around = encoder.encode(&mut model, unwinding);
    let limits = Limits { steps: 100_000, depth: 1000, ..Limits::default() };
    let mut runner = Runner::new(module, &interface, limits);
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut tally = Tally::default();
    let mut trail_of = |inputs: &Inputs| {
        let mut tracker = Tracker::new(module, usize::MAX);
        runner.run(inputs, &mut tracker);
        tracker.trail
    };
    for _ in 0..runs {
        let mut values: Vec<u64> = model.vars().iter().map(|info| random.value(info)).collect();
        let first: Assignment = values.iter().copied().collect();
        let trail = trail_of(&around.inputs(&model, &first));
        let unwinding = Unwinding {
            turns: u64::MAX,
            recursion: 16,
            trail: Some(Arc::new(trail.clone())),
            ..unwinding.clone()
        };
        let along = encoder.encode(&mut model, &unwinding);
        values.extend(model.vars().iter().skip(values.len()).map(|info| random.value(info)));
        let assignment: Assignment = values.into_iter().collect();
        // What the other encoding did not ask for is new.
        if trail_of(&along.inputs(&model, &assignment)) != trail {
            tally.other += 1;
            continue;
        }
        let limits = Limits { steps: 100_000, depth: 1000, ..Limits::default() };
        let mut runner = Runner::new(module, &interface, limits);
        if let Err(difference) = compare(&model, &along, &mut runner, &assignment, false, &mut tally) {
            let name = &module.functions[func].source_name;
            panic!("`{name}`: {difference}\n{}\n{source}", quipu_ir::print(module));
        }
    }
    tally
}

/// Compares one run. If that is wanted, the first failed check must be the event of the run, at its place.
fn compare(
    model: &Model,
    encoding: &Encoding,
    runner: &mut Runner<'_>,
    assignment: &Assignment,
    exact: bool,
    tally: &mut Tally,
) -> Result<(), String> {
    let mut evaluation = Evaluation::new(model, assignment);
    let inputs = encoding.inputs(model, assignment);
    let mut edges = Edges::default();
    let outcome = runner.run(&inputs, &mut edges).outcome;
    let took = edges.0;
    let mut is_true = |term| evaluation.value(term) == 1;
    let bad = encoding.checks.iter().position(|check| !is_true(check.clean));
    let before_bad = |n_checks: usize| bad.is_none_or(|bad| n_checks <= bad);
    for item in &encoding.approximations {
        if before_bad(item.n_checks) && is_true(item.when) {
            tally.approximate += 1;
            *tally.reasons.entry(item.what.clone()).or_default() += 1;
            return Ok(());
        }
    }
    let said: BTreeSet<Edge> = encoding
        .edges
        .iter()
        .filter(|(_, visits)| visits.iter().any(|visit| before_bad(visit.n_checks) && is_true(visit.when)))
        .map(|(&edge, _)| edge)
        .collect();
    let difference = |what: &str| {
        let bad = bad.map(|n| &encoding.checks[n]);
        Err(format!("{what}\n{inputs:?} -> {outcome:?}\nfailed check: {bad:?}\nsaid {said:?}\ntook {took:?}"))
    };
    let cut = encoding.cuts.iter().find(|cut| before_bad(cut.n_checks) && is_true(cut.when));
    if let Some(cut) = cut {
        tally.cut += 1;
        let kind = format!("{:?}", cut.kind);
        let kind = kind.split(" {").next().unwrap_or_default();
        *tally.reasons.entry(kind.to_string()).or_default() += 1;
        let fits = said.is_subset(&took) || matches!(outcome, Outcome::LimitReached(_));
        return if fits { Ok(()) } else { difference("an edge before a cut is not taken") };
    }
    let counts = encoding.assumptions.iter().all(|&term| is_true(term));
    match outcome {
        Outcome::LimitReached(_) | Outcome::Unsupported { .. } | Outcome::InputsExhausted { .. } => {
            tally.other += 1;
        }
        Outcome::AssumptionFailed => {
            tally.other += 1;
            if bad.is_none_or(|bad| encoding.checks[bad].event.is_some()) {
                return difference("an assumption fails only in the run");
            }
        }
        Outcome::Returned(_) | Outcome::Exited(_) => {
            if !counts || bad.is_some() || said != took {
                return difference("a clean run");
            }
            tally.same += 1;
        }
        Outcome::Event { .. } | Outcome::AssertionFailed { .. } | Outcome::Aborted => {
            if !took.is_subset(&said) {
                return difference("an edge is taken before the first event only in the run");
            }
            if let (true, Outcome::Event { event, func, span, .. }) = (exact, &outcome) {
                let place =
                    bad.map(|bad| &encoding.checks[bad]).map(|check| (check.event, check.func, check.span));
                if place != Some((Some(*event), *func, *span)) {
                    return difference("another event");
                }
            }
            match bad.is_some() && said == took {
                true => tally.same += 1,
                false => {
                    tally.more += 1;
                    *tally.reasons.entry(format!("more: {}", kind_of(&outcome))).or_default() += 1;
                }
            }
        }
    }
    Ok(())
}

fn kind_of(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Event { event, .. } => format!("{event:?}"),
        other => format!("{other:?}"),
    }
}
