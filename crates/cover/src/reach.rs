//! Questions about one place: all inputs that lead there, and what they have in common.

use quipu_cfront::Program;
use quipu_domain::Domain;
use quipu_encode::{Encoder, Encoding, Unwinding};
use quipu_goals::{GoalId, Goals};
use quipu_inputs::Inputs;
use quipu_model::{Model, Term, Var};
use quipu_solve::{Answer, Session};

use crate::clock::Clock;
use crate::options::Options;
use crate::question::{Chance, Clean, chances};
use crate::subject::Subject;

/// A place as a constraint model of its own: clean runs that get there.
pub struct Place<'m> {
    session: Session<'m>,
    encoding: Encoding,
    vars: Vec<Var>,
    bounded: bool,
    _clock: Clock,
}

/// How the enumeration of inputs goes on.
#[derive(Debug)]
pub enum Next {
    Found(Inputs),
    /// There is no other.
    Done,
    GaveUp,
}

impl<'m> Place<'m> {
    /// The model of all clean runs to a goal that has one part.
    pub fn new(
        program: &'m Program,
        subject: &'m Subject,
        goals: &Goals,
        goal: GoalId,
        options: &Options,
    ) -> Place<'m> {
        let module = &program.module;
        let mut model = Model::new();
        let mut encoder = Encoder::new(module, &subject.interface, subject.preconditions.clone());
        let options = &options.trapping();
        let clock = Clock::start(options);
        let unwinding =
            Unwinding { turns: options.turns.unwrap_or(ENUMERATED_TURNS), ..clock.unwinding(options) };
        let encoding = encoder.encode(&mut model, &unwinding);
        let ways = goals.all()[goal].parts.iter().flat_map(|part| &part.ways);
        let chances: Vec<Chance> = ways.flat_map(|way| chances(module, &encoding, &mut model, way)).collect();
        let free = model.clone();
        let any = model.any(chances.iter().map(|chance| chance.when).collect::<Vec<_>>());
        model.assert(any);
        encoding.assumptions.iter().for_each(|&term| model.assert(term));
        encoding.checks.iter().for_each(|check| model.assert(check.clean));
        encoding.hints.iter().for_each(|&hint| model.assert(hint));
        let bounded = reaches_cut(free, &encoding, &clock, options);
        let vars = encoding.leaves.clone();
        let mut session = clock.session(model, options);
        session.project(&vars);
        Place { session, encoding, vars, bounded, _clock: clock }
    }

    /// The next inputs.
    pub fn another(&mut self) -> Next {
        match self.session.solve() {
            Answer::Solution(solution) => {
                let inputs = self.encoding.inputs(self.session.model(), &solution);
                self.session.exclude(&solution, &self.vars);
                Next::Found(inputs)
            }
            Answer::Infeasible => Next::Done,
            Answer::GaveUp(_) => Next::GaveUp,
        }
    }

    /// Whether some run was not followed to its end, so that there may be more inputs.
    pub fn is_bounded(&self) -> bool {
        self.bounded
    }

    /// What propagation alone says about the inputs; none if it finds that there are none.
    pub fn domains(&mut self) -> Option<Vec<Domain>> {
        let terms: Vec<Term> = self.vars.iter().map(|&var| self.session.model().var_term(var)).collect();
        terms.iter().for_each(|&term| self.session.watch(term));
        match self.session.propagate() {
            Err(Answer::Infeasible) => None,
            _ => Some(terms.into_iter().map(|term| self.session.domain(term)).collect()),
        }
    }
}

/// Whether some run that is clean so far gets to a cut.
fn reaches_cut(mut model: Model, encoding: &Encoding, clock: &Clock, options: &Options) -> bool {
    if encoding.cuts.is_empty() {
        return false;
    }
    let chances: Vec<Chance> =
        encoding.cuts.iter().map(|cut| Chance { when: cut.when, n_checks: cut.n_checks }).collect();
    let any = Clean::default().until(&mut model, encoding, &chances);
    model.assert(any);
    encoding.assumptions.iter().for_each(|&term| model.assert(term));
    !matches!(clock.session(model, options).solve(), Answer::Infeasible)
}

/// The turns of each loop when all inputs are wanted.
const ENUMERATED_TURNS: u64 = 16;
