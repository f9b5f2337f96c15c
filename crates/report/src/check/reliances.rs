//! What functions rely on, each thing once.

use std::collections::BTreeSet;

use quipu_cfront::Program;
use quipu_cover::Standing;
use quipu_inputs::{Assumption, Reliance};
use serde_json::{Value, json};

use super::Checked;
use crate::names::counted;

/// Something that a function relies on.
pub(super) struct Relied<'c> {
    pub reliance: &'c Reliance,
    /// How many places are right only by it.
    accesses: usize,
}

/// What the code of a function relies on, in the order of its inputs.
pub(super) fn reliances<'c>(program: &Program, checked: &'c Checked) -> Vec<Relied<'c>> {
    let all = checked.report.interface.assumptions.iter();
    let relied = all.filter_map(|assumption| {
        let accesses = accesses(program, checked, assumption);
        assumption.reliance().filter(|_| accesses > 0).map(|reliance| Relied { reliance, accesses })
    });
    relied.collect()
}

/// The places of properties that hold only by an assumption.
fn accesses(program: &Program, checked: &Checked, assumption: &Assumption) -> usize {
    let needing = checked.properties.iter().filter(|one| match checked.report.standing(one.property) {
        Standing::Relied(_, exclusion) => exclusion.by.contains(assumption),
        _ => false,
    });
    let places = needing.map(|one| {
        let name = checked.name(program, one);
        (name.file, name.line, name.column)
    });
    places.collect::<BTreeSet<_>>().len()
}

impl Relied<'_> {
    /// The annotation that states it.
    fn contract(&self) -> String {
        format!("//@ requires {};", self.reliance.clause)
    }

    pub fn sentence(&self) -> String {
        let accesses = match (self.accesses, self.reliance.is_pointer) {
            (1, true) => "1 access".to_string(),
            (n, true) => format!("{n} accesses"),
            (n, false) => counted(n, "use"),
        };
        format!("relies on `{}`: {accesses}; to state it: {}", self.reliance.condition, self.contract())
    }

    pub fn json(&self) -> Value {
        json!({
            "condition": self.reliance.condition,
            "assumption": self.reliance.words,
            "contract": self.contract(),
            "accesses": self.accesses,
        })
    }
}

/// The same for programs.
pub(super) fn function_json(program: &Program, checked: &Checked) -> Value {
    let function = &program.module.functions[checked.told];
    json!({
        "name": function.source_name,
        "file": crate::names::file(program, function.span),
        "line": function.span.line,
        "always_undefined": crate::undefined::always_undefined_json(program, &checked.report),
        "assumptions": checked.report.interface.assumptions.iter().map(Assumption::to_string).collect::<Vec<_>>(),
        "relies_on": reliances(program, checked).iter().map(Relied::json).collect::<Vec<_>>(),
    })
}
