//! All inputs of a function, one run for each.

use std::collections::HashSet;

use quipu_base::Id;
use quipu_cfront::Program;
use quipu_cover::{Options, Subject, is_clean};
use quipu_goals::{BitSet, Credit, Goal, Goals, Way};
use quipu_inputs::{Inputs, Interface, Runner};
use quipu_interp::{InputRequest, Limits, Outcome};
use quipu_ir::Func;

use super::generator::Case;

/// Instructions of one run.
pub const STEPS: u64 = 20_000;
/// More inputs than this are not tried.
pub const MOST_INPUTS: u64 = 1 << 16;

/// A program ready to be asked about.
pub struct Target {
    pub case: Case,
    pub program: Program,
    pub subject: Subject,
}

impl Target {
    /// # Errors
    ///
    /// If it does not compile, or if its inputs are not those expected.
    pub fn new(case: Case) -> Result<Target, String> {
        let flags = quipu_cfront::Options::from_flags(&case.flags).expect("the flags are known");
        let program = quipu_cfront::compile_source("f.c", case.text.clone().into_bytes(), &flags)
            .map_err(|error| format!("{error:?}\n{}", case.text))?;
        let func = function(&program, "f").ok_or("no function")?;
        if program.module.functions[func].code().is_none() {
            return Err(format!("no code\n{}", case.text));
        }
        let options =
            Options { ranges: case.ranges.clone(), shapes: case.shapes.clone(), ..Options::default() };
        let subject = Subject::new(&program.module, func, Vec::new(), &options);
        let subject = subject.map_err(|error| format!("{error:?}\n{}", case.text))?;
        if !subject.interface.refused.is_empty() {
            return Err(format!("{:?}\n{}", subject.interface.refused, case.text));
        }
        Ok(Target { case, program, subject })
    }

    pub fn runner(&self) -> Runner<'_> {
        let limits = Limits { steps: STEPS, depth: 10_000, memory: 1 << 28, ..Limits::default() };
        Runner::new(&self.program.module, &self.subject.interface, limits)
    }

    /// What stands in functions that has no representation.
    pub fn unsupported(&self) -> Vec<&str> {
        let reasons = self.program.module.functions.iter().flat_map(|function| match &function.body {
            quipu_ir::Body::Unsupported(reasons) => reasons.as_slice(),
            _ => &[],
        });
        reasons.map(|reason| reason.what.as_str()).collect()
    }

    /// A failure, told with everything that is needed to see it again.
    pub fn blame(&self, what: &str) -> String {
        let Case { seed, text, flags, ranges, shapes } = &self.case;
        let ranges: Vec<String> =
            ranges.iter().map(|range| format!("{}={}", range.name, range.values)).collect();
        let mut named: Vec<String> =
            shapes.named.iter().map(|(name, shape)| format!("{name}={shape}")).collect();
        named.sort();
        format!("seed {seed} {} {} {}\n{text}\n=> {what}", flags.join(" "), ranges.join(" "), named.join(" "))
    }
}

fn function(program: &Program, name: &str) -> Option<Func> {
    let mut functions = program.module.functions.entries();
    functions.find(|(_, function)| function.source_name == name).map(|(func, _)| func)
}

/// All inputs; none if there are too many.
pub fn all_inputs(interface: &Interface) -> Option<Vec<Inputs>> {
    let mut all = vec![Vec::new()];
    for info in interface.leaves.iter() {
        let (low, high) = info.limits();
        let width = info.width();
        let count = width.wrap(high.wrapping_sub(low)).checked_add(1)?;
        if count.checked_mul(all.len() as u64)? > MOST_INPUTS {
            return None;
        }
        let values: Vec<u64> = (0..count).map(|n| info.value(width.wrap(low.wrapping_add(n)))).collect();
        all = all
            .iter()
            .flat_map(|start: &Vec<u64>| {
                values.iter().map(move |&value| {
                    let mut leaves = start.clone();
                    leaves.push(value);
                    leaves
                })
            })
            .collect();
    }
    let mut inputs = Vec::new();
    for sequence in refusals(interface.failing) {
        inputs.extend(all.iter().map(|leaves| Inputs {
            leaves: leaves.clone(),
            sequence: sequence.clone(),
            ..Inputs::default()
        }));
    }
    Some(inputs)
}

/// So many reads of volatile objects get every value.
pub const MOST_READS: usize = 6;

/// The inputs with all answers to the first reads of volatile objects of two bits.
pub fn with_reads(inputs: &[Inputs]) -> Vec<Inputs> {
    let answers = |n: u64| (0..MOST_READS).map(move |read| n >> (2 * read) & 3);
    let all = (0..1u64 << (2 * MOST_READS)).flat_map(|n| {
        inputs.iter().map(move |inputs| Inputs { sequence: answers(n).collect(), ..inputs.clone() })
    });
    all.collect()
}

/// All ways in which so many allocations fail or do not.
fn refusals(count: u32) -> Vec<Vec<u64>> {
    (0..1u64 << count).map(|bits| (0..count).map(|n| bits >> n & 1).collect()).collect()
}

/// What all runs show together.
pub struct Brute {
    /// What clean runs show.
    pub clean: BitSet,
    /// What all runs show that count.
    pub all: BitSet,
    /// Runs that count.
    pub counted: u64,
    pub runs: u64,
    /// Runs that were stopped.
    pub limited: u64,
    /// Runs that need something that the interpreter cannot do.
    pub unsupported: u64,
    /// The most answers that a run asked for.
    pub asked: usize,
    /// Undefined behaviour that is no goal, though such goals are asked for.
    pub surprises: Vec<String>,
}

impl Brute {
    /// Runs everything; the environment answers with each of these numbers.
    pub fn force(target: &Target, goals: &Goals, inputs: &[Inputs], answers: &[u64]) -> Brute {
        let (clean, all) = (BitSet::new(goals.items()), BitSet::new(goals.items()));
        let mut brute = Brute {
            clean,
            all,
            counted: 0,
            runs: 0,
            limited: 0,
            unsupported: 0,
            asked: 0,
            surprises: Vec::new(),
        };
        let undefined = goals.all().iter().any(Goal::is_undefined);
        let mut runner = target.runner();
        let mut credit = Credit::new(goals);
        for inputs in inputs {
            for (first, &answer) in answers.iter().enumerate() {
                credit.clear();
                let mut n = 0;
                let mut fill = |_: &InputRequest<'_>| {
                    n += 1;
                    if n == 1 { answer } else { answers[(first * 7 + n) % answers.len()] }
                };
                let observation = runner.run_filled(inputs, &mut fill, &mut credit);
                brute.asked = brute.asked.max(observation.requests.len());
                let outcome = observation.outcome;
                credit.ended(&outcome);
                if undefined && let Outcome::Event { event, func, span, .. } = &outcome {
                    let has_it = |way: &Way| {
                        matches!(way, Way::End { func: place, event: it, spans, .. }
                            if (place, *it) == (func, Some(*event)) && spans.contains(span))
                    };
                    let ways = || goals.all().iter().flat_map(|goal| &goal.parts[0].ways);
                    let text = format!("{event} at {}:{}", span.line, span.column);
                    if !ways().any(has_it) && !brute.surprises.contains(&text) {
                        brute.surprises.push(text);
                    }
                }
                brute.add(&outcome, &credit);
            }
        }
        brute
    }

    fn add(&mut self, outcome: &Outcome, credit: &Credit<'_>) {
        self.runs += 1;
        self.limited += u64::from(matches!(outcome, Outcome::LimitReached(_)));
        self.unsupported += u64::from(matches!(outcome, Outcome::Unsupported { .. }));
        if matches!(outcome, Outcome::Unsupported { .. }) {
            return;
        }
        self.counted += 1;
        self.all.union_with(credit.items());
        if is_clean(outcome) {
            self.clean.union_with(credit.items());
        }
    }
}

/// Whether these items meet a goal, said once more without a ledger.
pub fn meets(goals: &Goals, goal: &Goal, shown: &BitSet) -> bool {
    let seen =
        |part: usize| goal.parts[part].items.iter().copied().filter(|item| shown.contains(item.index()));
    match goal.parts.len() {
        1 => seen(0).next().is_some(),
        _ => seen(0).any(|yes| seen(1).any(|no| goals.pair(goal.id, yes, no))),
    }
}

/// The goals that these items meet.
pub fn met(goals: &Goals, shown: &BitSet) -> HashSet<usize> {
    goals.all().iter().filter(|goal| meets(goals, goal, shown)).map(|goal| goal.id.index()).collect()
}
