//! Random functions, all of whose inputs can be run.
#![allow(dead_code)]

pub mod addresses;
pub mod asserting;
pub mod brute;
pub mod expressions;
pub mod floats;
pub mod generator;
pub mod heap;
pub mod memory;
pub mod places;
pub mod reduce;
pub mod registers;
pub mod rings;
pub mod shapes;
pub mod sliceable;
pub mod verdicts;

/// A number from the environment.
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Makes programs, attacks them, and tells what went wrong; with `QUIPU_REDUCE` on smaller programs.
pub fn campaign(
    name: &str,
    programs: u64,
    make: &dyn Fn(u64) -> generator::Case,
    attack: &mut dyn FnMut(&brute::Target, bool) -> Vec<Failure>,
) {
    let first = number("QUIPU_FIRST", 0);
    let mut failures = 0;
    let mut example = String::new();
    for seed in first..first + number("QUIPU_PROGRAMS", programs) {
        let target = brute::Target::new(make(seed)).unwrap_or_else(|error| panic!("{error}"));
        let found = attack(&target, true);
        failures += found.len();
        let mut seen: Vec<&'static str> = Vec::new();
        for failure in &found {
            if seen.contains(&failure.kind) {
                continue;
            }
            seen.push(failure.kind);
            let text = match number("QUIPU_REDUCE", 0) {
                0 => target.blame(&failure.text),
                _ => smaller(&target, failure, attack),
            };
            println!("---- {name} {text}");
            example = if example.is_empty() { text } else { example };
        }
        if failures > number("QUIPU_FAILURES", 40) as usize {
            break;
        }
    }
    println!("{name}: {failures} failures");
    assert!(failures == 0, "{failures} failures, the first one:\n{example}");
}

/// Something that is wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    pub kind: &'static str,
    pub text: String,
}

fn smaller(
    target: &brute::Target,
    failure: &Failure,
    attack: &mut dyn FnMut(&brute::Target, bool) -> Vec<Failure>,
) -> String {
    let attack = std::cell::RefCell::new(attack);
    let again = |text: &str| -> Option<(brute::Target, Failure)> {
        let case = generator::Case { text: text.to_string(), ..target.case.clone() };
        let target = brute::Target::new(case).ok()?;
        let found = (*attack.borrow_mut())(&target, false);
        found.into_iter().find(|other| other.kind == failure.kind).map(|failure| (target, failure))
    };
    let text = reduce::reduce(&target.case.text, &|text| again(text).is_some());
    again(&text).map_or_else(|| target.blame(&failure.text), |(target, failure)| target.blame(&failure.text))
}
