//! What a run is worth: the items that it shows.
//!
//! A credit follows a run in one of two forms. As an [`Observer`] of the interpreter it is told blocks and edges; as a
//! [`StepSink`] it is told steps of the source, which may come from a log of compiled code. Both lead to the same
//! sites. Steps say nothing about operands, so that only the interpreter shows boundaries. That a run does something
//! undefined is told by its outcome ([`Credit::ended`]).
//!
//! The evaluation of a decision belongs to an activation of its function: while `f(x) && b` waits for `f`, the same
//! decision may be evaluated there. A log that misses the end of an activation, because of a jump out of it, is
//! understood at the next condition of a function further out.

use quipu_base::Id;
use quipu_interp::{Observer, Outcome, Step, StepSink};
use quipu_ir::{Block, Cond, Decision, Func, Stmt};

use crate::bits::BitSet;
use crate::collect::Goals;
use crate::goal::Way;
use crate::sites::{End, Followed, NONE, Sites};

/// Follows runs, and collects what they show.
#[derive(Clone, Debug)]
pub struct Credit<'g> {
    sites: &'g Sites,
    items: BitSet,
    seen: BitSet,
    activations: Vec<Activation>,
    /// For each activation and followed decision: the number of the evaluation so far.
    numbers: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Activation {
    func: Func,
    /// The statement that was started last.
    stmt: Option<Stmt>,
    /// Its first place in the table of numbers.
    base: usize,
}

impl<'g> Credit<'g> {
    /// A credit for these goals that has seen nothing.
    pub fn new(goals: &'g Goals) -> Credit<'g> {
        Credit {
            sites: &goals.sites,
            items: BitSet::new(goals.items()),
            seen: BitSet::new(goals.sites.items.len()),
            activations: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// The items shown so far.
    pub fn items(&self) -> &BitSet {
        &self.items
    }

    /// The run that was followed ended like this. Only its end tells whether it did something that it should not do.
    pub fn ended(&mut self, outcome: &Outcome) {
        let (event, func, span) = match *outcome {
            Outcome::Event { event, func, span, .. } => (Some(event), func, span),
            Outcome::AssertionFailed { func, span, .. } => (None, func, span),
            _ => return,
        };
        if let Some(items) = self.sites.ends.get(&(func, span, event)) {
            for item in items {
                self.items.insert(item.index());
            }
        }
        let ends_here = |way: &Way| match way {
            Way::End { func: own, event: kind, spans, .. } => {
                *own == func && *kind == event && spans.contains(&span)
            }
            _ => false,
        };
        let Some((_, before)) = self.activations.split_last() else { return };
        for (_, _, item) in self.sites.during.iter().filter(|(caller, happens, _)| {
            caller.via == Some(func) && ends_here(happens) && calls(before, caller.func, caller.stmt)
        }) {
            self.items.insert(item.index());
        }
    }

    /// Forgets everything: the next run stands for itself.
    pub fn clear(&mut self) {
        self.items.clear();
        self.seen.clear();
        self.activations.clear();
        self.numbers.clear();
    }

    #[inline]
    fn visit(&mut self, site: u32) {
        if site != NONE && self.seen.insert(site as usize) {
            for &item in &self.sites.items[site as usize] {
                self.items.insert(item.index());
            }
        }
    }

    #[inline]
    fn enter_function(&mut self, func: Func) {
        let sites = &self.sites.funcs[func];
        self.visit(sites.entry);
        if !self.sites.during.is_empty() {
            self.enter_during(func);
        }
        self.activations.push(Activation { func, stmt: None, base: self.numbers.len() });
        self.numbers.resize(self.numbers.len() + sites.followed as usize, NONE);
    }

    /// A function is entered in a call that a statement makes.
    fn enter_during(&mut self, func: Func) {
        for (caller, happens, item) in &self.sites.during {
            let outside = match (caller.via, self.activations.split_last()) {
                _ if *happens != Way::Entry(func) => continue,
                (None, _) => &self.activations[..],
                (Some(via), Some((inner, outside))) if inner.func == via => outside,
                (Some(_), _) => continue,
            };
            if calls(outside, caller.func, caller.stmt) {
                self.items.insert(item.index());
            }
        }
    }

    /// Ends the innermost activation of a function, and those inside it whose ends were missed.
    #[inline]
    fn leave_function(&mut self, func: Func) {
        self.return_to(func);
        self.pop();
    }

    #[inline]
    fn return_to(&mut self, func: Func) {
        while self.activations.last().is_some_and(|activation| activation.func != func) {
            self.pop();
        }
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(activation) = self.activations.pop() {
            self.numbers.truncate(activation.base);
        }
    }

    #[inline]
    fn condition(&mut self, func: Func, cond: Cond, value: bool) {
        let Some(&sites) = self.sites.funcs[func].conds.get(cond) else { return };
        self.visit(sites.site + u32::from(!value));
        if let Some(followed) = sites.followed {
            self.follow(func, followed, value);
        }
    }

    /// One more condition of an evaluation. One whose start was not seen is left alone.
    fn follow(&mut self, func: Func, followed: Followed, value: bool) {
        self.return_to(func);
        let Some(activation) = self.activations.last() else { return };
        let number = &mut self.numbers[activation.base + followed.slot as usize];
        let (offset, settles) = followed.steps[usize::from(!value)];
        let so_far = if followed.starts { 0 } else { *number };
        if so_far == NONE {
            return;
        }
        *number = so_far + offset;
        if settles {
            self.items.insert((followed.first_item + *number) as usize);
            *number = NONE;
        }
    }

    fn arm(&mut self, func: Func, decision: Decision, arm: usize) {
        if let Some(&site) = self.sites.funcs[func].switches.get(decision) {
            self.visit(site + arm as u32);
        }
    }
}

/// Whether the innermost of some activations is one of a function in which a statement was started last.
fn calls(activations: &[Activation], func: Func, stmt: Stmt) -> bool {
    activations.last().is_some_and(|caller| caller.func == func && caller.stmt == Some(stmt))
}

impl Observer for Credit<'_> {
    const COMPARES: bool = true;

    #[inline]
    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        match self.sites.funcs[func].ends.get(block) {
            Some(&End::Cond(cond)) => self.condition(func, cond, edge == 0),
            Some(&End::Switch(site)) => self.visit(site + edge as u32),
            Some(End::Plain) | None => {}
        }
    }

    #[inline]
    fn stmt(&mut self, func: Func, stmt: Stmt) {
        if let Some(&site) = self.sites.funcs[func].stmts.get(stmt) {
            self.visit(site);
        }
        if !self.sites.during.is_empty() {
            self.return_to(func);
            if let Some(activation) = self.activations.last_mut() {
                activation.stmt = Some(stmt);
            }
        }
    }

    #[inline]
    fn enter(&mut self, func: Func) {
        self.enter_function(func);
    }

    #[inline]
    fn leave(&mut self, func: Func) {
        self.leave_function(func);
    }

    #[inline]
    fn compare(&mut self, func: Func, block: Block, inst: usize, a: u64, b: u64) {
        let number = self.sites.funcs[func].compares.get(block).and_then(|table| table.get(inst));
        if let Some(compare) = number.and_then(|&number| self.sites.compares.get(number as usize)) {
            self.visit(compare.site(a, b));
        }
    }
}

impl StepSink for Credit<'_> {
    fn step(&mut self, step: Step) {
        match step {
            Step::Enter(func) => self.enter_function(func),
            Step::Leave(func) => self.leave_function(func),
            Step::Stmt(func, stmt) => Observer::stmt(self, func, stmt),
            Step::Cond(func, cond, value, _) => self.condition(func, cond, value),
            Step::Switch(func, decision, arm) => self.arm(func, decision, arm),
        }
    }
}
