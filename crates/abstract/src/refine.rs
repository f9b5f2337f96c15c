//! What conditions tell about an octagon.

use quipu_model::{Node, Term};
use quipu_num::{Guard, IntCmp, Width};

use crate::linear::Linear;
use crate::octagon::Octagon;
use crate::paths::truth;
use crate::reader::Reader;
use crate::turn::limits;

/// So many disjuncts are looked at one by one.
const MOST_DISJUNCTS: usize = 4;
/// So deep in each other.
const DEEPEST: u32 = 3;

impl Reader<'_> {
    /// The part of an octagon in which a condition has a truth value; none if that is empty. The octagon is closed, and
    /// so is the part.
    pub fn refined(&self, octagon: Octagon, condition: Term, value: bool) -> Option<Octagon> {
        self.refined_at_depth(octagon, condition, value, DEEPEST)
    }

    fn refined_at_depth(
        &self,
        octagon: Octagon,
        condition: Term,
        value: bool,
        depth: u32,
    ) -> Option<Octagon> {
        match self.model.node(condition) {
            Node::Const(bits) => (value == (*bits == 1)).then_some(octagon),
            Node::Not(inner) => self.refined_at_depth(octagon, *inner, !value, depth),
            Node::All(items) => self.connected(octagon, items, true, value, depth),
            Node::Any(items) => self.connected(octagon, items, false, value, depth),
            Node::Select(choice, a, b) if depth > 0 => {
                let branch = |truth: bool, inner: Term| {
                    let part = self.refined_at_depth(octagon.clone(), *choice, truth, depth - 1)?;
                    self.refined_at_depth(part, inner, value, depth - 1)
                };
                let branches = [branch(true, *a), branch(false, *b)];
                branches.into_iter().flatten().reduce(|a, b| a.join(&b))
            }
            Node::Compare(cmp, a, b) => self.compared(octagon, *cmp, (*a, *b), value),
            Node::Guard(guard, a, b) if value => self.guarded(octagon, *guard, (*a, *b)),
            _ => Some(octagon),
        }
    }

    /// A conjunction, or a disjunction. Where it is neither surely all of its items nor a few of them, nothing is told.
    fn connected(
        &self,
        mut octagon: Octagon,
        items: &[Term],
        conjunction: bool,
        value: bool,
        depth: u32,
    ) -> Option<Octagon> {
        if conjunction == value {
            for &item in items {
                octagon = self.refined_at_depth(octagon, item, value, depth)?;
            }
            return Some(octagon);
        }
        let is_open = |item: &&Term| truth(self.model, **item, self.decisions) != Some(!value);
        let open: Vec<Term> = items.iter().filter(is_open).copied().collect();
        if open.len() > MOST_DISJUNCTS || depth == 0 {
            return Some(octagon);
        }
        let parts =
            open.iter().filter_map(|&item| self.refined_at_depth(octagon.clone(), item, value, depth - 1));
        parts.reduce(|a, b| a.join(&b))
    }

    fn compared(&self, octagon: Octagon, cmp: IntCmp, (a, b): (Term, Term), value: bool) -> Option<Octagon> {
        if self.model.width(a) == Width::W1 {
            return Some(octagon);
        }
        let readings: &[bool] = match cmp {
            IntCmp::Eq | IntCmp::Ne => &[true, false],
            IntCmp::Ult | IntCmp::Ule => &[false],
            IntCmp::Slt | IntCmp::Sle => &[true],
        };
        let mut octagon = octagon;
        for &signed in readings {
            let difference = |octagon: &Octagon| {
                self.linear(octagon, a, signed).plus(&self.linear(octagon, b, signed), -1)
            };
            let Some(over) = difference(&octagon) else { continue };
            let Some(under) = Linear::constant(0).plus(&over, -1) else { continue };
            octagon = match (cmp, value) {
                (IntCmp::Eq, true) | (IntCmp::Ne, false) => at_most_zero(octagon, &[over, under])?,
                (IntCmp::Eq, false) | (IntCmp::Ne, true) => {
                    // They differ, so one end of the distance moves.
                    let ends = (over.lower(&octagon), over.upper(&octagon));
                    match ends {
                        (0, 0) => return None,
                        (0, _) => at_most_zero(octagon, &[under.shifted(1)])?,
                        (_, 0) => at_most_zero(octagon, &[over.shifted(1)])?,
                        _ => octagon,
                    }
                }
                (IntCmp::Ult | IntCmp::Slt, true) => at_most_zero(octagon, &[over.shifted(1)])?,
                (IntCmp::Ule | IntCmp::Sle, true) => at_most_zero(octagon, &[over])?,
                (IntCmp::Ult | IntCmp::Slt, false) => at_most_zero(octagon, &[under])?,
                (IntCmp::Ule | IntCmp::Sle, false) => at_most_zero(octagon, &[under.shifted(1)])?,
            };
        }
        Some(octagon)
    }

    fn guarded(&self, octagon: Octagon, guard: Guard, (a, b): (Term, Term)) -> Option<Octagon> {
        let (factor, w) = match guard {
            Guard::AddFits(w) => (1, w),
            Guard::SubFits(w) => (-1, w),
            Guard::IndexBelow(_) => return self.compared(octagon, IntCmp::Ult, (a, b), true),
            Guard::IndexAtMost(_) => return self.compared(octagon, IntCmp::Ule, (a, b), true),
            _ => return Some(octagon),
        };
        let (least, most) = limits(w, true);
        let result = self.linear(&octagon, a, true).plus(&self.linear(&octagon, b, true), factor);
        let Some(result) = result else { return Some(octagon) };
        let Some(negated) = Linear::constant(0).plus(&result, -1) else { return Some(octagon) };
        at_most_zero(octagon, &[result.shifted(-most), negated.shifted(least)])
    }
}

/// The part of an octagon in which forms are at most zero.
fn at_most_zero(mut octagon: Octagon, forms: &[Linear]) -> Option<Octagon> {
    let before = octagon.clone();
    for form in forms {
        if !form.note_at_most_zero(&mut octagon) {
            return None;
        }
    }
    if octagon == before { Some(octagon) } else { octagon.closed() }
}
