//! Attacks on proofs: what was called unreachable should stay so under random inputs.

use quipu_cfront::Program;
use quipu_goals::GoalId;
use quipu_inputs::Inputs;

use crate::burst::{Patience, shower};
use crate::clock::Clock;
use crate::options::Options;
use crate::pool::Pool;
use crate::record::Start;
use crate::report::FunctionReport;
use crate::subject::{Bench, Subject, gates};

/// Runs random inputs, and returns the goals called unreachable that one of them meets: there should be none.
pub fn attack(
    program: &Program,
    subject: &Subject,
    report: &FunctionReport,
    options: &Options,
) -> Vec<(GoalId, Inputs)> {
    let unreachable = |goal: &GoalId| {
        use quipu_base::Id;
        report.verdicts[goal.index()].proof().is_some()
    };
    let goals: Vec<GoalId> = report.goals.all().ids().filter(unreachable).collect();
    if goals.is_empty() || options.attack == 0 || !matches!(options.start, Start::Afresh) {
        return Vec::new();
    }
    let gates = gates(subject);
    let bench = Bench::new(&program.module, subject, &gates, options);
    let mut pool = Pool::new(bench, &report.goals, goals.clone()).under(options.uninitialized.rule());
    let options = Options { seed: options.seed ^ ATTACK_SEED, ..options.clone() };
    let (runs, clock) = (options.attack, Clock::start(&options));
    shower(&mut pool, &program.module, &subject.interface, &options, &clock, (runs, ENDLESS));
    let met = goals.into_iter().filter(|&goal| pool.is_covered(goal));
    let by = |goal: GoalId| {
        let test = pool.all.covered_by(goal, 0).first().copied().unwrap_or(0);
        pool.found[test].inputs.clone()
    };
    met.map(|goal| (goal, by(goal))).collect()
}

/// All runs that are wanted are made.
const ENDLESS: Patience = Patience { runs: u64::MAX, steps: u64::MAX };

/// Other inputs than those of the burst.
const ATTACK_SEED: u64 = 0x5eed_0fa7_7ac4;
