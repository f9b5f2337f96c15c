//! The front end never panics on any source, and what it accepts is valid IR.
//!
//! A panic inside the `rucc` crates is not ours to mend: the front end turns it into a message, and that it does so
//! is what is tested here. All other panics are crashes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quipu_cfront::Options;

fn abort_on_panics_of_ours() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_ours = panic.location().is_none_or(|place| !place.file().contains("/rucc-"));
        if is_ours {
            report(panic);
            std::process::abort();
        }
    }));
}

fuzz_target!(init: abort_on_panics_of_ours(), |bytes: &[u8]| {
    // System headers would make each run slow and find nothing of ours.
    let options = Options::from_flags(&["-nostdinc"]).expect("the flag should be known");
    if let Ok(program) = quipu_cfront::compile_source("fuzz.c", bytes.to_vec(), &options)
        && let Err(errors) = quipu_ir::verify(&program.module)
    {
        panic!("invalid IR: {}", errors[0]);
    }
});
