//! Ways to solve a model.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quipu_base::IdVec;
use quipu_cp::{Answer as Found, Direction, Limits, Queue, Solver, Stop, Strategy};
use quipu_model::{Assignment, Model, Var, WrittenBodies};
use quipu_solve::{Answer, Limit, Linear, Options, Session};

/// Who works on a model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Way {
    /// Propagation and search alone, without the combiner.
    Search(Strategy, Direction),
    /// The combiner with some of its parts.
    Parts { rewrite: bool, search: bool, sat: bool, linear: Linear, strategy: Strategy },
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// Values of the variables that the model had before.
    Solution(Assignment),
    Infeasible,
    Limit,
    /// A fault that the solver saw itself, or a panic.
    Fault(String),
}

const STRATEGIES: [Strategy; 7] = [
    Strategy::Learned,
    Strategy::FirstFail,
    Strategy::MostConstrained,
    Strategy::Split,
    Strategy::SmallFirst,
    Strategy::BoundaryFirst,
    Strategy::Random(3),
];

const DIRECTIONS: [Direction; 5] = [
    Direction::Values,
    Direction::Backwards(Queue::LastFirst),
    Direction::Backwards(Queue::FirstFirst),
    Direction::Backwards(Queue::EarliestDefined),
    Direction::Forwards,
];

impl Way {
    /// The ways to try on a model; strategies and directions take turns.
    pub fn all(turn: u64) -> Vec<Way> {
        let strategy = |n: u64| STRATEGIES[((turn + n) % 7) as usize];
        let direction = |n: u64| DIRECTIONS[((turn + n) % 5) as usize];
        let parts = |rewrite, search, sat, n| {
            let linear = if n == 0 { Linear::Adaptive } else { Linear::Never };
            Way::Parts { rewrite, search, sat, linear, strategy: strategy(n) }
        };
        let relaxed = |rewrite, search, n| {
            let strategy = strategy(n);
            Way::Parts { rewrite, search, sat: !search, linear: Linear::Always, strategy }
        };
        vec![
            Way::Search(strategy(0), direction(0)),
            Way::Search(strategy(3), direction(2)),
            parts(false, true, false, 1),
            parts(true, true, false, 2),
            parts(false, false, true, 0),
            parts(true, false, true, 0),
            parts(false, true, true, 4),
            parts(true, true, true, 0),
            parts(true, true, true, 5),
            relaxed(true, true, 6),
            relaxed(false, true, 0),
            relaxed(true, false, 0),
        ]
    }

    /// Asks for solutions until there is none or there are `most`; each is excluded, for these variables, when it
    /// was told. The last verdict is not a solution unless there are `most`.
    pub fn enumerate(
        self,
        model: &Model,
        vars: &[Var],
        most: usize,
        effort: u64,
        interrupt: &Arc<AtomicBool>,
    ) -> Vec<Verdict> {
        let run = || match self {
            Way::Search(strategy, direction) => {
                let limits = Limits {
                    contractions: Some(effort),
                    unfoldings: Some(600),
                    interrupt: Some(interrupt.clone()),
                    ..Limits::default()
                };
                let mut solver = Solver::new(model.clone(), WrittenBodies, limits);
                (solver.strategy, solver.direction) = (strategy, direction);
                searched(model, solver, vars, most)
            }
            Way::Parts { rewrite, search, sat, linear, strategy } => {
                let options = Options {
                    strategy,
                    effort: Some(effort),
                    unfoldings: 600,
                    rewrite,
                    search,
                    sat,
                    linear,
                    interrupt: interrupt.clone(),
                    ..Options::default()
                };
                combined(model, options, vars, most)
            }
        };
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or(panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
            vec![Verdict::Fault(format!("panic: {}", text.unwrap_or_default()))]
        })
    }
}

fn searched(model: &Model, mut solver: Solver<'_>, vars: &[Var], most: usize) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    while verdicts.len() < most {
        match solver.solve() {
            Found::Witness(assignment) => {
                let told: Vec<_> = vars.iter().map(|&var| (model.var_term(var), assignment[var])).collect();
                verdicts.push(Verdict::Solution(prefix(model, &assignment)));
                solver.exclude(&told);
            }
            Found::Infeasible => {
                verdicts.push(Verdict::Infeasible);
                break;
            }
            Found::GaveUp(Stop::Contractions | Stop::Conflicts | Stop::Unfoldings | Stop::Interrupted) => {
                verdicts.push(Verdict::Limit);
                break;
            }
        }
    }
    verdicts
}

fn combined(model: &Model, options: Options, vars: &[Var], most: usize) -> Vec<Verdict> {
    let mut session = Session::new(model.clone(), WrittenBodies, options);
    let mut verdicts = Vec::new();
    while verdicts.len() < most {
        match session.solve() {
            Answer::Solution(solution) => {
                session.exclude(&solution, vars);
                verdicts.push(Verdict::Solution(prefix(model, &solution)));
            }
            Answer::Infeasible => {
                verdicts.push(Verdict::Infeasible);
                break;
            }
            Answer::GaveUp(Limit::Unconfirmed) => {
                verdicts.push(Verdict::Fault("a solution that does not satisfy the model".into()));
                break;
            }
            Answer::GaveUp(_) => {
                verdicts.push(Verdict::Limit);
                break;
            }
        }
    }
    verdicts
}

/// The values of the variables that a model has.
fn prefix(model: &Model, assignment: &Assignment) -> Assignment {
    assignment.iter().copied().take(model.vars().len()).collect::<IdVec<Var, u64>>()
}
