//! The front end never panics on any source, and what it accepts is valid IR.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quipu_cfront::Options;

fuzz_target!(|bytes: &[u8]| {
    // System headers would make each run slow and find nothing of ours.
    let options = Options::from_flags(&["-nostdinc"]).expect("the flag should be known");
    if let Ok(program) = quipu_cfront::compile_source("fuzz.c", bytes.to_vec(), &options)
        && let Err(errors) = quipu_ir::verify(&program.module)
    {
        panic!("invalid IR: {}", errors[0]);
    }
});
