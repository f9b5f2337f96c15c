//! What is checked: where runs start, and what must not happen in them.

use std::collections::BTreeSet;

use quipu_acsl::ClaimKind;
use quipu_analysis::CallGraph;
use quipu_cover::{Options, Property, goals_of, properties};
use quipu_goals::{Goal, GoalKind, Goals};
use quipu_ir::{Body, Event, Func};

use super::clauses::Clauses;
use super::helpers::helpers;
use super::known::Known;
use crate::args::Check;
use crate::exit::Exit;
use crate::load;
use crate::search::{self, Loaded, Tested};

/// The function at which a program starts.
const MAIN: &str = "main";

/// What would happen where something is not as the code relies on.
const INFERRED: [Event; 6] = [
    Event::NullAccess,
    Event::InvalidCall,
    Event::DivisionByZero,
    Event::ZeroBitCount,
    Event::ShiftOutOfRange,
    Event::OutOfBounds,
];

/// What is checked.
pub struct Plan {
    pub entries: Vec<Entry>,
    /// The undefined behaviours that count.
    events: Vec<Event>,
    /// The functions that cannot be checked.
    pub left_out: Vec<Func>,
    calls: CallGraph,
    /// The functions that are judged through their callers.
    helpers: BTreeSet<Func>,
    /// Whether all counts that can go wrong, also what the code relies on.
    strict: bool,
}

/// A function at which runs start.
#[derive(Clone, Copy)]
pub struct Entry {
    pub func: Func,
    /// Whether all properties of functions that it calls count. Otherwise, those that are checked by themselves are left
    /// to that, but for what they require of their callers.
    whole: bool,
}

/// The goals of a function, and those of them that are properties.
pub struct Wanted {
    pub goals: Goals,
    pub properties: Vec<Property>,
}

impl Plan {
    pub fn new(
        loaded: &Loaded,
        args: &Check,
        events: Option<Vec<Event>>,
        options: &Options,
    ) -> Result<Plan, Exit> {
        let mut own = load::included_functions(&loaded.program, loaded.tested_files());
        own.retain(|&func| !loaded.is_generated(func));
        let asserts =
            |func: &Func| loaded.wrapper(*func).is_some() || has_property(loaded, *func, options, &[]);
        let events = events.unwrap_or_else(|| match own.iter().any(asserts) {
            true => Vec::new(),
            false => {
                eprintln!(
                    "note: the program asserts nothing, so undefined behaviour is looked for (--ub all)"
                );
                Event::ALL.map(|(event, _)| event).to_vec()
            }
        });
        let calls = CallGraph::compute(&loaded.program.module);
        let (helpers, strict) = (BTreeSet::new(), args.strict);
        let mut plan = Plan { entries: Vec::new(), events, left_out: Vec::new(), calls, helpers, strict };
        match args.function.is_empty() {
            true => plan.start_at_all(loaded, own, options),
            false => plan.start_at_named(loaded, &args.function)?,
        }
        Ok(plan)
    }

    fn start_at_named(&mut self, loaded: &Loaded, names: &[String]) -> Result<(), Exit> {
        for name in names {
            let func = search::testable(loaded, name)?;
            self.entries.push(Entry { func: loaded.wrapper(func).unwrap_or(func), whole: true });
        }
        Ok(())
    }

    fn start_at_all(&mut self, loaded: &Loaded, own: Vec<Func>, options: &Options) {
        let module = &loaded.program.module;
        load::report_unsupported(&loaded.program, &own);
        let is_unsupported = |func: &Func| matches!(module.functions[*func].body, Body::Unsupported(_));
        self.left_out = own.iter().copied().filter(is_unsupported).collect();
        let start = own.iter().copied().find(|&func| {
            module.functions[func].source_name == MAIN && module.functions[func].code().is_some()
        });
        let demanding = demanding(loaded);
        let mut apart: BTreeSet<Func> = loaded.contracted().collect();
        match start {
            Some(main) => {
                let func = loaded.wrapper(main).unwrap_or(main);
                apart.remove(&func);
                self.entries.push(Entry { func, whole: true });
            }
            None => {
                if !self.strict {
                    self.helpers = helpers(loaded, &own, &self.calls);
                }
                let asks = |func: Func| has_property(loaded, func, options, &self.events);
                // Functions of headers are not checked by themselves.
                let elsewhere = module.functions.entries().filter(|(_, function)| function.code().is_some());
                let elsewhere =
                    elsewhere.map(|(func, _)| func).filter(|func| !own.contains(func) && asks(*func));
                let mut wanted: BTreeSet<Func> = elsewhere.chain(demanding).collect();
                // What others rely on may be broken by each of their callers.
                let passed_on: BTreeSet<Func> = match self.infers() {
                    true => own.iter().copied().collect(),
                    false => self.helpers.clone(),
                };
                self.spread(&mut wanted, &passed_on, asks);
                let plain = own.iter().copied().filter(|&func| asks(func) || self.calls_any(func, &wanted));
                apart.extend(plain.map(|func| loaded.wrapper(func).unwrap_or(func)));
            }
        }
        self.entries.extend(apart.into_iter().map(|func| Entry { func, whole: false }));
        self.entries.sort_by_key(|entry| module.functions[loaded.told(entry.func)].span);
    }

    /// Adds those of some functions that have a property, or through which control comes to a function that is wanted.
    fn spread(&self, wanted: &mut BTreeSet<Func>, among: &BTreeSet<Func>, asks: impl Fn(Func) -> bool) {
        wanted.extend(among.iter().copied().filter(|&func| asks(func)));
        let leads =
            |func: &Func, wanted: &BTreeSet<Func>| !wanted.contains(func) && self.calls_any(*func, wanted);
        while let Some(&more) = among.iter().find(|func| leads(func, wanted)) {
            wanted.insert(more);
        }
    }

    /// Whether a function calls one of some functions itself.
    fn calls_any(&self, func: Func, wanted: &BTreeSet<Func>) -> bool {
        let mut callees = self.calls.sites_in(func).iter().flat_map(|site| &site.callees);
        callees.any(|callee| wanted.contains(callee))
    }

    pub fn counts(&self, event: Event) -> bool {
        self.events.contains(&event)
    }

    /// Whether a function is judged through its callers.
    pub fn is_helper(&self, func: Func) -> bool {
        self.helpers.contains(&func)
    }

    /// Whether what a function relies on is its precondition: nobody knows who calls it.
    pub fn relies(&self, loaded: &Loaded, func: Func) -> bool {
        let is_main = loaded.program.module.functions[loaded.told(func)].source_name == MAIN;
        self.infers() && !is_main && !self.is_helper(func)
    }

    /// Whether what the code relies on without testing it is a precondition.
    fn infers(&self) -> bool {
        !self.strict && INFERRED.iter().any(|&event| self.counts(event))
    }

    /// The numbers of the functions at which runs start, each behind those that it calls.
    pub fn bottom_up(&self) -> Vec<usize> {
        let order: Vec<Func> = self.calls.bottom_up().flatten().copied().collect();
        let mut numbers: Vec<usize> = (0..self.entries.len()).collect();
        numbers.sort_by_key(|&number| order.iter().position(|&func| func == self.entries[number].func));
        numbers
    }

    /// What must not happen in runs of a function, of which some may be known already.
    pub fn wanted(
        &self,
        loaded: &Loaded,
        tested: &Tested<'_>,
        clauses: &Clauses<'_>,
        known: &Known,
    ) -> Wanted {
        let func = tested.subject.interface.func;
        let goals = goals_of(&loaded.program, func, &tested.options);
        let entry = self.entries.iter().find(|entry| entry.func == func).expect("every entry is tested");
        let told = loaded.told(func);
        let alone: BTreeSet<Func> = self.entries.iter().map(|entry| loaded.told(entry.func)).collect();
        let is_wanted = |goal: &Goal| {
            // A clause that cannot be evaluated does not hold.
            let is_property = match goal.kind {
                GoalKind::Undefined(event) => self.counts(event) || clauses.is_in_clause(goal),
                GoalKind::Assertion(_) => true,
                _ => clauses.is_dead(goal),
            };
            let is_here = goal.func == func || goal.func == told;
            let counts = match clauses.kind_of(goal) {
                // What is required of the first call is what is assumed of inputs, if it can be evaluated.
                Some((ClaimKind::Requires, is_evaluation)) => {
                    is_evaluation || goal.func != told || self.calls.is_recursive(told)
                }
                _ if entry.whole || is_here => true,
                _ if self.is_helper(func) => false,
                _ if self.is_helper(goal.func) => !known.is_proved(goal),
                _ => !alone.contains(&goal.func) || known.is_relied_on(goal),
            };
            is_property && counts
        };
        let properties = properties(&goals, is_wanted);
        Wanted { goals, properties }
    }
}

/// The functions that require something of their callers.
fn demanding(loaded: &Loaded) -> BTreeSet<Func> {
    let claims = loaded.annotations.claims.iter().filter(|claim| claim.kind == ClaimKind::Requires);
    claims.filter_map(|claim| loaded.program.module.function(&claim.function)).collect()
}

/// Whether a function itself, not only one that it calls, has a property.
fn has_property(loaded: &Loaded, func: Func, options: &Options, events: &[Event]) -> bool {
    if loaded.preconditions.iter().any(|one| one.gate == func) {
        return false;
    }
    let name = &loaded.program.module.functions[func].name;
    let mut claims = loaded.annotations.claims.iter().filter(|claim| claim.function == *name);
    if claims.any(|claim| matches!(claim.kind, ClaimKind::Assert | ClaimKind::LoopInvariant { .. })) {
        return true;
    }
    let goals = goals_of(&loaded.program, func, options);
    goals.all().iter().any(|goal| match goal.kind {
        GoalKind::Undefined(event) => events.contains(&event),
        GoalKind::Assertion(_) => true,
        _ => false,
    })
}
