//! Preconditions that no input satisfies: which of them conflict.

use quipu_cover::{Options, Subject, is_contradictory};
use quipu_inputs::{Interface, Shapes};

use super::{Loaded, Tested};
use crate::exit::Exit;
use crate::load;

/// Says which of the user's demands exclude each other.
pub fn explain_contradiction(loaded: &Loaded, tested: &Tested<'_>) -> Exit {
    let module = &loaded.program.module;
    let func = tested.subject.interface.func;
    let name = &module.functions[loaded.told(func)].source_name;
    let mut assumptions: Vec<usize> = (0..tested.preconditions.len()).collect();
    let mut ranges: Vec<usize> = (0..tested.options.ranges.len()).collect();
    let conflict = |assumptions: &[usize], ranges: &[usize]| {
        // What ranges say about lengths is left out with them.
        let shapes = Shapes { largest: Default::default(), ..tested.options.shapes.clone() };
        let options = Options {
            shapes,
            ranges: ranges.iter().map(|&n| tested.options.ranges[n].clone()).collect(),
            ..tested.options.clone()
        };
        let preconditions = assumptions.iter().map(|&n| tested.preconditions[n].gate).collect();
        let subject = Subject::new(module, func, preconditions, &options);
        subject.is_ok_and(|subject| is_contradictory(&loaded.program, &subject, &options))
    };
    for n in (0..assumptions.len()).rev() {
        let mut fewer = assumptions.clone();
        fewer.remove(n);
        if conflict(&fewer, &ranges) {
            assumptions = fewer;
        }
    }
    for n in (0..ranges.len()).rev() {
        let mut fewer = ranges.clone();
        fewer.remove(n);
        if conflict(&assumptions, &fewer) {
            ranges = fewer;
        }
    }
    let assumed = assumptions.iter().map(|&n| format!("\n  {}", tested.preconditions[n].assumption));
    let given = ranges.iter().map(|&n| format!("\n  {}", tested.ranges[n]));
    let demands: String = assumed.chain(given).collect();
    // One demand alone mostly conflicts with what is assumed about lengths and pointers.
    let interface = Interface::of(module, func, &tested.options.shapes);
    let alone = assumptions.len() + ranges.len() <= 1;
    let shapes = interface.assumptions.iter().filter(|_| alone);
    let shapes: String = shapes.map(|shape| format!("\n  = note: assuming {shape}")).collect();
    load::complain(&match demands.is_empty() {
        true => format!("error: the assumptions in the source exclude every input of `{name}`{shapes}"),
        false => format!("error: no input of `{name}` satisfies all of{demands}{shapes}"),
    })
}
