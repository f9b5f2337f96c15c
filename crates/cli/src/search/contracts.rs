//! Contracts in the source: what they ask of inputs, and what the program must do.

use quipu_acsl::{Contract, NoteKind, Range, annotate};
use quipu_cfront::Snippet;
use quipu_inputs::{Allowed, Number};
use quipu_ir::{Func, Function};

use super::demand::{Assumption, Origin};
use super::{Loaded, Precondition, Tested, parse};
use crate::exit::Exit;

/// Translates the program once more, with its annotations as claims. What nobody checks is told.
pub fn with_contracts(loaded: Loaded) -> Result<Loaded, Exit> {
    let refused = |failure: quipu_cfront::Failure| {
        crate::talk::tell(&failure.to_string());
        Exit::BadInput
    };
    let annotations = annotate(&loaded.program, &loaded.files, &loaded.options).map_err(refused)?;
    let told = annotations.notes.iter().filter(|note| note.kind != NoteKind::Documentation);
    told.for_each(|note| eprintln!("{}", note.message));
    let ignored = annotations.notes.iter().filter(|note| note.kind == NoteKind::Documentation).count();
    if ignored > 0 {
        let clauses = if ignored == 1 { "1 clause is" } else { &format!("{ignored} clauses are") };
        eprintln!("note: {clauses} read as documentation (assigns, loop variant, ...), and not checked");
    }
    if annotations.is_empty() {
        return Ok(Loaded { annotations, ..loaded });
    }
    let program = annotations.compile(&loaded.files, &[], &loaded.options).map_err(refused)?;
    let mut loaded = Loaded { program, annotations, ..loaded };
    loaded.rename_demands();
    loaded.add_shapes();
    Ok(loaded)
}

impl Loaded {
    /// What is asked of a function is asked of the one that is checked in its place.
    fn rename_demands(&mut self) {
        let wrappers = self.annotations.contracts.iter().filter_map(|contract| {
            contract.wrapper.as_ref().map(|wrapper| (contract.function.clone(), wrapper.clone()))
        });
        let wrappers: Vec<(String, String)> = wrappers.collect();
        let rename = |name: &mut Option<String>| {
            let wrapper = wrappers.iter().find(|(function, _)| Some(function) == name.as_ref());
            if let Some((_, wrapper)) = wrapper {
                *name = Some(wrapper.clone());
            }
        };
        for given in [&mut self.demands.file, &mut self.demands.options] {
            given.shapes.iter_mut().for_each(|demand| rename(&mut demand.function));
            given.ranges.iter_mut().for_each(|demand| rename(&mut demand.function));
            given.assumptions.iter_mut().for_each(|assumption| rename(&mut assumption.function));
        }
    }

    /// What preconditions say about pointers becomes their shape; other shapes count more.
    fn add_shapes(&mut self) {
        let mut shapes = Vec::new();
        for contract in &self.annotations.contracts {
            for (name, shape) in &contract.shapes {
                let Ok(mut demand) = parse::shape(&format!("{name}={shape}")) else { continue };
                demand.function = Some(checked_name(contract).to_string());
                demand.origin = Origin::File(place(contract));
                shapes.push(demand);
            }
        }
        self.demands.file.shapes.splice(0..0, shapes);
    }

    /// Inputs that preconditions exclude by a range need not be thought of. The preconditions themselves are told.
    pub fn restrict_by_contracts(&self, tested: &mut [Tested<'_>]) {
        for one in tested {
            let function = &self.program.module.functions[one.subject.interface.func];
            for Range { name, low, high } in self.contract_ranges(function) {
                let allowed = Allowed::Between(Number::Int(*low), Number::Int(*high));
                one.subject.restrict_by_contract(name, allowed);
            }
        }
    }

    /// The ranges in which the contract of a function that is checked wants its parameters to be.
    pub fn contract_ranges<'l>(&'l self, function: &'l Function) -> impl Iterator<Item = &'l Range> {
        let contracts = self.annotations.contracts.iter();
        let own = contracts.filter(|contract| checked_name(contract) == function.name);
        own.flat_map(|contract| &contract.ranges)
    }

    /// Whether a function is one of those that contracts have become.
    pub fn is_generated(&self, func: Func) -> bool {
        let name = &self.program.module.functions[func].name;
        self.annotations.contracts.iter().any(|contract| {
            contract.wrapper.as_ref() == Some(name)
                || contract.gates.iter().any(|gate| gate.function == *name)
        })
    }

    /// The preconditions that contracts state, each as a function.
    pub(super) fn gates(&self) -> Vec<Precondition> {
        let module = &self.program.module;
        let contracts = self.annotations.contracts.iter();
        let gates = contracts.flat_map(|contract| contract.gates.iter().map(move |gate| (contract, gate)));
        gates
            .filter_map(|(contract, gate)| {
                let text = gate.text.clone();
                let origin = Origin::Option(format!("`{text}`, at {}", gate.place));
                Some(Precondition {
                    function: checked_name(contract).to_string(),
                    gate: module.function(&gate.function)?,
                    assumption: Assumption { function: None, text, origin },
                })
            })
            .collect()
    }

    /// The functions by which those with a contract are checked.
    pub fn contracted(&self) -> impl Iterator<Item = Func> + '_ {
        let contracts = self.annotations.contracts.iter();
        contracts.filter_map(|contract| self.program.module.function(checked_name(contract)))
    }

    /// The function that is checked in the place of another, if that has a contract.
    pub fn wrapper(&self, func: Func) -> Option<Func> {
        let name = &self.program.module.functions[func].name;
        let contract = self.annotations.contracts.iter().find(|contract| contract.function == *name)?;
        self.program.module.function(contract.wrapper.as_ref()?)
    }

    /// The function in whose place one is checked; itself, if it is none of ours.
    pub fn told(&self, func: Func) -> Func {
        let name = &self.program.module.functions[func].name;
        let contracts = self.annotations.contracts.iter();
        let own = contracts.filter(|contract| contract.wrapper.as_ref() == Some(name));
        own.filter_map(|contract| self.program.module.function(&contract.function)).next().unwrap_or(func)
    }
}

fn checked_name(contract: &Contract) -> &str {
    contract.wrapper.as_deref().unwrap_or(&contract.function)
}

fn place(contract: &Contract) -> Snippet {
    let (file, line, column) = (contract.place.file.clone(), contract.place.line, contract.place.column);
    Snippet { file, line, column, text: String::new(), caret: 0, len: 1 }
}
