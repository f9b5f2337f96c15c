//! The IR parser never panics; what it accepts verifies without a panic and prints to a text that parses again.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(module) = quipu_ir::parse(text) else { return };
    let verified = quipu_ir::verify(&module).is_ok();
    let printed = quipu_ir::print(&module);
    if verified {
        let again = quipu_ir::parse(&printed).expect("a printed module should parse");
        assert_eq!(quipu_ir::print(&again), printed);
    }
});
