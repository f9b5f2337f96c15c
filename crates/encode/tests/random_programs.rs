//! The encoding agrees with the interpreter on functions of random programs. `QUIPU_PROGRAMS` sets how many,
//! `QUIPU_FIRST` the seed of the first one.

mod common;

use common::Tally;
use quipu_encode::Unwinding;
use quipu_ir::{Func, Module};
use quipu_testkit::generate::{Config, Features, program, source};

#[test]
fn functions_of_random_programs() {
    let tally = compare_programs(&Config::default());
    assert!(4 * tally.same > tally.approximate + tally.cut, "{tally:#?}");
}

#[test]
fn functions_of_random_programs_with_undefined_behaviour() {
    let tally = compare_programs(&Config { undefined: true, ..Config::default() });
    assert!(4 * tally.same > tally.approximate + tally.cut, "{tally:#?}");
}

#[test]
fn functions_of_small_programs() {
    let tally = compare_programs(&small(None));
    assert!(2 * tally.same > tally.approximate + tally.cut, "{tally:#?}");
}

/// What there is an exact model of.
#[test]
fn functions_of_small_integer_programs() {
    let tally = compare_programs(&small(Some(integers())));
    assert!(tally.same > 5 * (tally.approximate + tally.cut), "{tally:#?}");
}

/// Floats, and integers made of them.
#[test]
fn functions_of_small_float_programs() {
    let tally = compare_programs(&small(Some(Features { floats: true, ..integers() })));
    assert!(tally.same > 3 * (tally.approximate + tally.cut), "{tally:#?}");
}

/// Lists of nodes that functions get as arguments, and that they build of locals.
#[test]
fn functions_on_linked_nodes() {
    let features = Features { links: true, ..integers() };
    let tally = compare_programs(&small(Some(features)));
    assert!(tally.same > tally.approximate + tally.cut, "{tally:#?}");
}

/// The same with nodes that are allocated and freed, and arrays as well.
#[test]
fn functions_on_allocated_nodes() {
    let features = Features { links: true, heap: true, ..integers() };
    let tally = compare_programs(&small(Some(features)));
    assert!(tally.same > tally.approximate + tally.cut, "{tally:#?}");
}

/// An encoding along a run says what the run does, and nothing is cut.
#[test]
fn runs_are_followed() {
    let tally = compare_each(&small(Some(Features { heap: true, ..integers() })), common::agree_along_trails);
    assert!(tally.same > 5 * (tally.approximate + tally.cut), "{tally:#?}");
}

/// The language of integers, pointers and records.
fn integers() -> Features {
    Features {
        floats: false,
        bit_fields: true,
        pointers: true,
        records: true,
        gotos: true,
        switches: true,
        variadics: true,
        heap: false,
        strings: false,
        library: false,
        recursion: true,
        function_pointers: true,
        statement_expressions: true,
        inner_assignments: true,
        volatile: true,
        links: false,
    }
}

fn small(features: Option<Features>) -> Config {
    Config { statements: 5, expr_depth: 2, max_cost: 200, undefined: true, features, ..Config::default() }
}

fn compare_programs(config: &Config) -> Tally {
    compare_each(config, common::agree_on)
}

fn compare_each(config: &Config, agree: fn(&Module, Func, &str, usize, &Unwinding) -> Tally) -> Tally {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("QUIPU_FIRST").unwrap_or(0);
    let wanted: u64 = number("QUIPU_PROGRAMS").unwrap_or(15);
    let unwinding = Unwinding { turns: 3, recursion: 2, size: 3000, ..Unwinding::default() };
    let mut tally = Tally::default();
    for seed in first..first + wanted {
        let text = format!("/* seed {seed} */\n{}", source(&[program(seed, "p", config)]));
        let module = common::compile(&text);
        for (func, function) in module.functions.entries() {
            // The names of the program start with its letter; the others are the same in every program.
            if function.code().is_some() && function.source_name.starts_with('p') {
                tally.add(agree(&module, func, &text, 40, &unwinding));
            }
        }
    }
    println!("{tally:#?}");
    assert!(tally.same > 50 * tally.more, "{tally:#?}");
    tally
}
