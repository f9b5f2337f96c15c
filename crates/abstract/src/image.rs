//! Where a step leads from a state.

use quipu_domain::Domain;
use quipu_model::{Model, Term};

use crate::cone::{Cone, Domains};
use crate::congruence::Congruence;
use crate::linear::Linear;
use crate::octagon::{Bound, Literal, Octagon};
use crate::paths::{Decisions, paths};
use crate::reader::Reader;
use crate::state::{State, narrowed, note_domains};
use crate::turn::Dimension;

/// A step: conditions, and the values of the first dimensions after it. All other dimensions stay as they are.
pub struct Step {
    pub cone: Cone,
    conditions: Vec<Term>,
    /// Domains of terms that hold wherever the step is taken.
    known: Vec<(Term, Domain)>,
    results: Vec<Term>,
    pub paths: Vec<Decisions>,
}

/// A way on which a step can be taken, and what is known there before numbers move.
pub struct Way<'a> {
    pub decisions: &'a Decisions,
    pub octagon: Octagon,
    cone: &'a Cone,
    domains: Domains,
    /// The state that the step starts with, as far as it can be taken on this way.
    from: State,
}

impl<'a> Way<'a> {
    /// How terms are read on this way.
    pub fn reader(&'a self, model: &'a Model, dimensions: &'a [Dimension]) -> Reader<'a> {
        let Way { decisions, cone, domains, .. } = self;
        Reader { model, dimensions, cone, domains, decisions }
    }
}

impl Step {
    pub fn new(
        model: &Model,
        cone: Cone,
        conditions: Vec<Term>,
        known: Vec<(Term, Domain)>,
        results: Vec<Term>,
        most_paths: usize,
    ) -> Step {
        let paths = paths(model, &results, most_paths);
        Step { cone, conditions, known, results, paths }
    }

    /// The states that the step leads to; none if it cannot be taken.
    pub fn image(&self, model: &Model, dimensions: &[Dimension], from: &State) -> Option<State> {
        let ways = self.paths.iter().filter_map(|path| self.way(model, dimensions, from, path));
        let ends = ways.filter_map(|way| self.moved(model, dimensions, &way));
        ends.reduce(|a, b| a.join(&b, dimensions))
    }

    /// A way from a state; none if it cannot be taken.
    pub fn way<'a>(
        &'a self,
        model: &Model,
        dimensions: &[Dimension],
        from: &State,
        decisions: &'a Decisions,
    ) -> Option<Way<'a>> {
        let cone = &self.cone;
        let mut state = from.clone();
        // The second round sees in the domains what the octagon has found in the first.
        let mut rounds = 2;
        loop {
            let mut given: Vec<(Term, Domain)> =
                self.conditions.iter().map(|&condition| (condition, Domain::TRUE)).collect();
            given.extend(&self.known);
            given.extend(decisions.iter().map(|(&condition, &truth)| (condition, Domain::truth(truth))));
            given
                .extend(dimensions.iter().map(|dimension| dimension.term).zip(state.domains.iter().copied()));
            let domains = cone.domains(model, &given)?;
            for (dimension, domain) in dimensions.iter().zip(&mut state.domains) {
                if cone.contains(dimension.term) {
                    *domain = cone.domain(&domains, dimension.term);
                }
            }
            let reader = Reader { model, dimensions, cone, domains: &domains, decisions };
            let mut octagon = state.octagon.clone();
            note_domains(&mut octagon, dimensions, &state.domains);
            let mut octagon = octagon.closed()?;
            for &condition in &self.conditions {
                octagon = reader.refined(octagon, condition, true)?;
            }
            let mut decided: Vec<(Term, bool)> =
                decisions.iter().map(|(&term, &truth)| (term, truth)).collect();
            decided.sort_unstable();
            for (condition, truth) in decided {
                octagon = reader.refined(octagon, condition, truth)?;
            }
            rounds -= 1;
            if rounds == 0 {
                return Some(Way { decisions, octagon, cone, domains, from: state });
            }
            for (n, dimension) in dimensions.iter().enumerate() {
                state.domains[n] = narrowed(state.domains[n], dimension.width, octagon.range(n))?;
            }
            state.octagon = octagon;
        }
    }

    /// The state in which the first dimensions have new values.
    fn moved(&self, model: &Model, dimensions: &[Dimension], way: &Way<'_>) -> Option<State> {
        let Way { octagon, from, .. } = way;
        let reader = way.reader(model, dimensions);
        let new = |n: usize| match self.results.get(n) {
            Some(&result) => reader.linear(octagon, result, dimensions[n].signed),
            None if dimensions[n].passing => {
                let (least, most) = dimensions[n].limits();
                Linear::between(least, most)
            }
            None => Linear::dimension(n),
        };
        let forms: Vec<Linear> = (0..dimensions.len()).map(new).collect();
        let mut moved = Octagon::full(dimensions.len());
        for (n, a) in forms.iter().enumerate() {
            moved.note_most(Literal::new(n, false), a.upper(octagon));
            moved.note_most(Literal::new(n, true), -a.lower(octagon));
            for (m, b) in forms.iter().enumerate().skip(n + 1) {
                for (factor, negative) in [(1, false), (-1, true)] {
                    let Some(sum) = a.plus(b, factor) else { continue };
                    let (x, y) = (Literal::new(n, false), Literal::new(m, negative));
                    moved.note(Bound { a: x, b: y, most: sum.upper(octagon) });
                    let (x, y) = (Literal::new(n, true), Literal::new(m, !negative));
                    moved.note(Bound { a: x, b: y, most: -sum.lower(octagon) });
                }
            }
        }
        let value = |n: usize| match self.results.get(n) {
            Some(&result) => reader.cone.domain(reader.domains, result),
            None if dimensions[n].passing => Domain::full(dimensions[n].width),
            None => from.domains[n],
        };
        let domains = (0..dimensions.len()).map(value).collect();
        let congruences = forms.iter().map(|form| congruence(form, &from.congruences)).collect();
        State { octagon: moved.closed()?, domains, congruences }.reduced(dimensions)
    }
}

/// What the congruences of the dimensions tell about a form.
fn congruence(form: &Linear, of: &[Congruence]) -> Congruence {
    let Some((parts, constant)) = form.as_sum() else { return Congruence::ALL };
    let start = Congruence::constant(constant);
    parts.iter().fold(start, |sum, &(dim, factor)| sum.plus(of[dim], factor))
}
