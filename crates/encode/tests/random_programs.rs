//! The encoding agrees with the interpreter on functions of random programs. `QUIPU_PROGRAMS` sets how many.

mod common;

use quipu_encode::Unwinding;
use quipu_testkit::generate::{Config, program, source};

#[test]
fn functions_of_random_programs() {
    let wanted = std::env::var("QUIPU_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(15);
    let unwinding = Unwinding { turns: 3, recursion: 2, size: 3000, ..Unwinding::default() };
    let (mut functions, mut compared) = (0, 0);
    for seed in 0..wanted {
        let text = source(&[program(seed, "p", &Config::default())]);
        let module = common::compile(&text);
        for (func, function) in module.functions.entries() {
            if function.code().is_none() || function.source_name == "main" {
                continue;
            }
            functions += 1;
            compared += common::agree_on(&module, func, &text, 25, &unwinding);
        }
    }
    assert!(compared > functions, "{compared} runs of {functions} functions");
}
