//! `assert.h`, and the verification functions of SV-COMP.

use super::{Call, Table};
use crate::outcome::{Fallible, Stop, claim_text};

pub(super) const FUNCTIONS: Table = &[
    ("__assert_fail", assert_fail),
    ("__assert", assert_fail),
    ("__assert_perror_fail", |_| failed("an error number is not zero")),
    ("__VERIFIER_assert", |call| if call.arg(0) == 0 { failed("__VERIFIER_assert") } else { Ok(0) }),
    ("quipu_claim", claim),
    ("__VERIFIER_error", |_| failed("__VERIFIER_error")),
    ("reach_error", |_| failed("reach_error")),
    ("__VERIFIER_assume", assume),
    ("assume", assume),
];

fn assert_fail(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let text = call.string(0)?;
    failed(&String::from_utf8_lossy(&text))
}

fn failed(text: &str) -> Fallible<u64> {
    Err(Box::new(Stop::Assertion(text.to_string())))
}

/// A claim of a contract by its number, and whether it holds.
fn claim(call: &mut Call<'_, '_>) -> Fallible<u64> {
    if call.arg(1) == 0 { failed(&claim_text(call.arg(0))) } else { Ok(0) }
}

fn assume(call: &mut Call<'_, '_>) -> Fallible<u64> {
    if call.arg(0) == 0 { Err(Box::new(Stop::Assumption)) } else { Ok(0) }
}
