//! Coverage criteria.

/// What a set of tests should cover.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Criterion {
    /// Every statement is executed.
    Statement,
    /// Every decision that steers control has every outcome; a `switch` takes every arm.
    Branch,
    /// Every atomic condition is true once and false once.
    Condition,
    /// Every decision, `&&` and `||` used as values included, has every outcome, and every function is entered.
    Decision,
    /// Every atomic condition is shown to decide its decision by itself.
    Mcdc(McdcForm),
    /// Every comparison of integers is made at its boundary and next to it.
    Boundary,
    /// Every undefined behaviour that the code may have happens, where it may.
    Undefined,
    /// Every assertion fails.
    Assertion,
}

/// What MC/DC asks of the two evaluations that show the influence of a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum McdcForm {
    /// The condition is not masked in either of them; the others may differ.
    Masking,
    /// The other conditions, where both evaluate them, agree.
    UniqueCause,
}

impl Criterion {
    /// All criteria with their names.
    pub const ALL: [(Criterion, &'static str); 9] = [
        (Criterion::Statement, "statement"),
        (Criterion::Branch, "branch"),
        (Criterion::Condition, "condition"),
        (Criterion::Decision, "decision"),
        (Criterion::Mcdc(McdcForm::Masking), "mcdc"),
        (Criterion::Mcdc(McdcForm::UniqueCause), "mcdc-unique"),
        (Criterion::Boundary, "boundary"),
        (Criterion::Undefined, "undefined"),
        (Criterion::Assertion, "assertion"),
    ];

    /// The criterion's name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(criterion, _)| *criterion == self).expect("every criterion has a name").1
    }
}
