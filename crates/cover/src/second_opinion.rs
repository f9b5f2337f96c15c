//! A second opinion on proofs: what was called unreachable is asked once more, in another way.
//!
//! Proofs come from propagation, relaxations, invariants of loops and turns that stand for all of them. Here loops are
//! unrolled a few times, exactly, and nobody but SAT is asked, about terms as the encoder made them. It proves little,
//! but a solution is a run that meets the goal, or a mistake.

use quipu_cfront::Program;
use quipu_encode::{CutKind, Encoder, Encoding, Unwinding};
use quipu_goals::{Goal, GoalId};
use quipu_inputs::Inputs;
use quipu_ir::Module;
use quipu_model::{Model, Term};
use quipu_solve::{Answer, Session};

use crate::clock::Clock;
use crate::options::Options;
use crate::question::{Chance, Clean, chances};
use crate::record::Start;
use crate::report::{FunctionReport, Verdict};
use crate::subject::Subject;

/// The turns of loops that are followed, and the calls inside each other.
const MOST_TURNS: u64 = 8;
const MOST_CALLS: u64 = 4;
/// The largest encoding, in block executions.
const MOST_VISITS: usize = 20_000;
/// A question may take this part of the effort of other questions.
const EFFORT_SHARE: u64 = 50;

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct SecondOpinion {
    /// Goals that can be met after all, with inputs for that. There should be none.
    pub refuted: Vec<(GoalId, Inputs)>,
    /// Goals that cannot be met as far as loops were followed.
    pub confirmed: usize,
    /// Goals that took too much effort.
    pub unanswered: usize,
}

/// Asks SAT alone about everything that was called unreachable.
pub fn second_opinion(
    program: &Program,
    subject: &Subject,
    report: &FunctionReport,
    options: &Options,
) -> SecondOpinion {
    let goals: Vec<&Goal> = report.goals.all().iter().filter(|goal| is_proved(report, goal)).collect();
    if goals.is_empty() || !matches!(options.start, Start::Afresh) {
        return SecondOpinion::default();
    }
    let clock = Clock::start(options);
    let mut opinion = SecondOpinion::default();
    let mut turns = turns(report);
    let bounded = report.verdicts.iter().any(|verdict| matches!(verdict, Verdict::UnreachableToBound(_)));
    let mut open = goals;
    // What takes too much effort is asked about fewer turns.
    while !open.is_empty() && clock.stopped().is_none() {
        let mut engine = Engine::new(&program.module, subject, options, &clock, (turns, bounded));
        open.retain(|goal| engine.is_open(goal, &mut opinion));
        if turns == 0 {
            break;
        }
        turns /= 2;
    }
    opinion.unanswered = open.len();
    opinion
}

/// Whether a goal was called unreachable, at least up to a bound. Two runs together are not asked about.
fn is_proved(report: &FunctionReport, goal: &Goal) -> bool {
    use quipu_base::Id;
    let verdict = &report.verdicts[goal.id.index()];
    goal.parts.len() == 1 && (verdict.proof().is_some() || matches!(verdict, Verdict::UnreachableToBound(_)))
}

/// How far loops may be followed: not beyond any bound up to which something was proved.
fn turns(report: &FunctionReport) -> u64 {
    let bounds = report.verdicts.iter().flat_map(|verdict| match verdict {
        Verdict::UnreachableToBound(bounds) => bounds.as_slice(),
        _ => &[],
    });
    let turns = bounds.filter_map(|bound| match bound.kind {
        CutKind::Loop { turns, .. } => Some(turns),
        CutKind::Recursion { depth, .. } => Some(depth),
        CutKind::Size | CutKind::Unsupported(_) => None,
    });
    turns.min().unwrap_or(MOST_TURNS).min(MOST_TURNS)
}

/// An exact encoding, and SAT.
struct Engine<'m> {
    module: &'m Module,
    encoding: Encoding,
    session: Session<'m>,
    clean: Clean,
    /// That the run ends, and that nothing in it was made up.
    is_exact: Term,
}

impl<'m> Engine<'m> {
    fn new(
        module: &'m Module,
        subject: &'m Subject,
        options: &Options,
        clock: &Clock,
        (turns, bounded): (u64, bool),
    ) -> Engine<'m> {
        let mut session = clock.session_of_sat_alone(Model::new(), options.effort / EFFORT_SHARE);
        let unwinding = Unwinding {
            turns,
            // What is said up to a bound says nothing about turns beyond it, however certain they are.
            every_turn: bounded,
            recursion: turns.min(MOST_CALLS),
            size: MOST_VISITS,
            ..clock.unwinding(options)
        };
        let mut encoder = Encoder::new(module, &subject.interface, subject.preconditions.clone());
        let encoding = encoder.encode(session.model_mut(), &unwinding);
        encoding.assumptions.iter().for_each(|&term| session.assert(term));
        let ends = encoding.cuts.iter().map(|cut| cut.when);
        let made_up = encoding.approximations.iter().map(|item| item.when);
        let inexact: Vec<Term> = ends.chain(made_up).collect();
        let model = session.model_mut();
        let any = model.any(inexact);
        let is_exact = model.not(any);
        Engine { module, encoding, session, clean: Clean::default(), is_exact }
    }

    /// Whether nothing can be said about a goal. What can be is noted.
    fn is_open(&mut self, goal: &Goal, opinion: &mut SecondOpinion) -> bool {
        match self.ask(goal) {
            Answer::Solution(solution) => {
                let inputs = self.encoding.inputs(self.session.model(), &solution);
                opinion.refuted.push((goal.id, inputs));
            }
            Answer::Infeasible => opinion.confirmed += 1,
            Answer::GaveUp(_) => return true,
        }
        false
    }

    /// Looks for a run that meets a goal, and in which nothing undefined happens before.
    fn ask(&mut self, goal: &Goal) -> Answer {
        let mut found: Vec<Chance> = Vec::new();
        for way in goal.parts.iter().flat_map(|part| &part.ways) {
            found.extend(chances(self.module, &self.encoding, self.session.model_mut(), way));
        }
        let question = self.clean.until(self.session.model_mut(), &self.encoding, &found);
        self.session.solve_under(&[question, self.is_exact])
    }
}
