//! A question put to a session.

use quipu_domain::Domain;
use quipu_model::Var;
use quipu_model_text::{Document, Query, QueryKind};
use quipu_solve::{Answer as Found, Limit, Session, Solution};

use super::progress::Progress;
use super::{lists_solutions, text};
use crate::interrupt::Interrupt;

/// What is to be told.
pub enum Answer {
    /// The domains of the variables; `stopped` if more might follow.
    Domains {
        domains: Vec<(Var, Domain)>,
        stopped: Option<Stopped>,
    },
    Solution(Solution),
    /// There is no solution.
    None,
    /// Solutions; `stopped` if there may be more.
    Solutions {
        solutions: Vec<Solution>,
        count: u64,
        stopped: Option<Stopped>,
    },
    GaveUp(Stopped),
}

/// Why an answer is not complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    Effort,
    Unfoldings,
    Time,
    User,
    /// The number of solutions that were asked for.
    Enough,
    Unconfirmed,
}

impl Answer {
    pub fn stopped(&self) -> Option<Stopped> {
        match self {
            Answer::Domains { stopped, .. } | Answer::Solutions { stopped, .. } => {
                stopped.filter(|&stopped| stopped != Stopped::Enough)
            }
            Answer::GaveUp(stopped) => Some(*stopped),
            Answer::Solution(_) | Answer::None => None,
        }
    }
}

/// Finds the answer; solutions of `all` are told as they come.
pub fn ask(
    session: &mut Session<'_>,
    document: &Document,
    query: &Query,
    interrupt: &Interrupt,
    tell: &dyn Fn(&str),
) -> Answer {
    match query.kind {
        QueryKind::Propagate => propagate(session, document, query, interrupt),
        QueryKind::Solve => match session.solve() {
            Found::Solution(solution) => Answer::Solution(solution),
            Found::Infeasible => Answer::None,
            Found::GaveUp(limit) => Answer::GaveUp(stopped(limit, interrupt)),
        },
        QueryKind::All | QueryKind::Count => enumerate(session, document, query, interrupt, tell),
    }
}

fn propagate(session: &mut Session<'_>, document: &Document, query: &Query, interrupt: &Interrupt) -> Answer {
    for &var in &query.variables {
        session.watch(document.model.var_term(var));
    }
    let stopped = match session.propagate() {
        Ok(()) => None,
        Err(Found::GaveUp(limit)) => Some(stopped(limit, interrupt)),
        Err(_) => return Answer::None,
    };
    let domain = |&var: &Var| (var, session.domain(document.model.var_term(var)));
    Answer::Domains { domains: query.variables.iter().map(domain).collect(), stopped }
}

fn enumerate(
    session: &mut Session<'_>,
    document: &Document,
    query: &Query,
    interrupt: &Interrupt,
    tell: &dyn Fn(&str),
) -> Answer {
    let keep = lists_solutions(query.kind);
    let mut progress = Progress::new();
    session.project(&query.variables);
    let (mut solutions, mut count) = (Vec::new(), 0);
    let stopped = loop {
        if query.limit.is_some_and(|limit| count >= limit) {
            break Some(Stopped::Enough);
        }
        match session.solve() {
            Found::Infeasible => break None,
            Found::GaveUp(limit) => break Some(stopped(limit, interrupt)),
            Found::Solution(solution) => {
                count += 1;
                session.exclude(&solution, &query.variables);
                progress.solutions(count);
                if keep {
                    tell(&format!("  {}", text::values(document, query, &solution)));
                    solutions.push(solution);
                }
            }
        }
    };
    progress.clear();
    Answer::Solutions { solutions, count, stopped }
}

fn stopped(limit: Limit, interrupt: &Interrupt) -> Stopped {
    match limit {
        Limit::Effort => Stopped::Effort,
        Limit::Unfoldings => Stopped::Unfoldings,
        Limit::Interrupted if interrupt.by_user() => Stopped::User,
        Limit::Interrupted => Stopped::Time,
        Limit::Unconfirmed => Stopped::Unconfirmed,
    }
}
