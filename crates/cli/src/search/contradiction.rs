//! Preconditions that no input satisfies: which of them conflict.

use quipu_cover::{Options, Subject, is_contradictory};
use quipu_ir::Func;

use super::Loaded;
use crate::args::Search;
use crate::exit::Exit;
use crate::load;

/// Says which of the user's demands exclude each other.
pub fn explain_contradiction(loaded: &Loaded, func: Func, search: &Search, options: &Options) -> Exit {
    let module = &loaded.program.module;
    let name = &module.functions[func].source_name;
    let mut assumptions: Vec<usize> = (0..search.assume.len()).collect();
    let mut ranges: Vec<usize> = (0..options.ranges.len()).collect();
    let conflict = |assumptions: &[usize], ranges: &[usize]| {
        let options = Options {
            ranges: ranges.iter().map(|&n| options.ranges[n].clone()).collect(),
            ..options.clone()
        };
        let preconditions = assumptions.iter().map(|&n| loaded.preconditions[n]).collect();
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
    let assumed = assumptions.iter().map(|&n| format!("\n  --assume '{}'", search.assume[n]));
    let given = ranges.iter().map(|&n| {
        let range = &options.ranges[n];
        format!("\n  --range '{}={}..{}'", range.name, range.low, range.high)
    });
    let demands: String = assumed.chain(given).collect();
    load::complain(&match demands.is_empty() {
        true => format!("error: the assumptions in the source exclude every input of `{name}`"),
        false => format!("error: no input of `{name}` satisfies all of{demands}"),
    })
}
