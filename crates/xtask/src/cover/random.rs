//! Random testing: every input is drawn by itself, half of them from all values of its type, half from small ones.

use quipu_inputs::{Inputs, LeafInfo};
use quipu_interp::{InputKind, InputRequest};
use quipu_ir::{Module, Ty};
use quipu_testkit::rng::Rng;

use super::credited::Credited;
use super::program::Target;
use crate::usage;

/// Runs that take longer all together end early.
const MOST_SECONDS: f64 = 20.0;
/// The clock is read once in so many runs.
const CLOCK_EVERY: u64 = 1000;
const SEED: u64 = 1;

/// What random testing met, and its CPU seconds.
pub struct Tried {
    pub covered: Vec<bool>,
    pub seconds: f64,
}

/// Runs so many random inputs, or fewer once all goals are met or the time is over.
pub fn test(module: &Module, target: &Target, runs: u64) -> Tried {
    let start = usage::thread_cpu_ns();
    let seconds = || (usage::thread_cpu_ns() - start) as f64 / 1e9;
    let mut credited = Credited::new(module, target);
    let mut rng = Rng::new(SEED);
    for n in 0..runs {
        if n % CLOCK_EVERY == 0 && (credited.is_complete() || seconds() > MOST_SECONDS) {
            break;
        }
        let leaves = target.interface().leaves.iter().map(|leaf| value(&mut rng, leaf)).collect();
        let inputs = Inputs { leaves, ..Inputs::default() };
        credited.run(&inputs, &mut |request: &InputRequest<'_>| answer(&mut rng, request));
    }
    Tried { covered: credited.covered(), seconds: seconds() }
}

fn value(rng: &mut Rng, leaf: &LeafInfo) -> u64 {
    let width = leaf.width();
    let bits = width.wrap(number(rng));
    if leaf.allows(bits) {
        return bits;
    }
    let (low, high) = leaf.limits();
    let size = width.wrap(high.wrapping_sub(low));
    let step = if size == u64::MAX { rng.bits() } else { rng.below(size + 1) };
    leaf.value(width.wrap(low.wrapping_add(step)))
}

fn answer(rng: &mut Rng, request: &InputRequest<'_>) -> u64 {
    match (request.kind, request.ty) {
        (InputKind::End | InputKind::Refusal, _) => rng.below(2),
        (InputKind::Byte, _) => rng.between(-1, 255).cast_unsigned(),
        (_, Ty::Ptr) => 0,
        _ => number(rng),
    }
}

fn number(rng: &mut Rng) -> u64 {
    match rng.below(2) {
        0 => rng.bits(),
        _ => rng.between(-10, 100).cast_unsigned(),
    }
}
