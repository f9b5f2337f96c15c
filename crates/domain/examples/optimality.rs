//! How tight the contractors are: how often each operand and the result get the smallest domain that can hold
//! their solutions. Run with `cargo run --release -p quipu-domain --example optimality`.

#[path = "../tests/support/mod.rs"]
mod support;

use quipu_domain::Domain;
use quipu_num::Width;
use std::collections::HashMap;
use support::relation::{Known, Relation, for_conditions, for_operations, for_unary, known};
use support::{Random, all_domains, arc_domains, best_size, set, width};

/// What is counted over many triples of domains.
#[derive(Default)]
struct Tally {
    /// Triples with a solution, and without.
    possible: u32,
    impossible: u32,
    /// Operands that are as small as can be after one pass, and after passes until nothing changes.
    once: [u32; 3],
    finally: [u32; 3],
    /// Triples without a solution that were found to have none.
    refuted: u32,
}

/// Remembers the smallest possible sizes.
#[derive(Default)]
struct Best(HashMap<(Width, Domain, u64), u32>);

impl Best {
    fn size(&mut self, w: Width, given: Domain, wanted: u64) -> u32 {
        *self.0.entry((w, given, wanted)).or_insert_with(|| best_size(w, given, wanted))
    }
}

fn fixpoint(relation: &Relation, given: [Domain; 3]) -> Option<[Domain; 3]> {
    let mut before = given;
    loop {
        let after = (relation.contract)(before[0], before[1], before[2])?;
        if after == before {
            return Some(after);
        }
        before = after;
    }
}

fn count(relation: &Relation, best: &mut Best, tally: &mut Tally, given: [Known; 3]) {
    let wanted = relation.solutions(given);
    let domains = given.map(|g| g.domain);
    let once = (relation.contract)(domains[0], domains[1], domains[2]);
    let finally = fixpoint(relation, domains);
    if wanted[0] == 0 {
        tally.impossible += 1;
        tally.refuted += u32::from(finally.is_none());
        return;
    }
    tally.possible += 1;
    let (once, finally) = (once.expect("sound"), finally.expect("sound"));
    for n in 0..3 {
        let w = relation.widths[n];
        let size = best.size(w, domains[n], wanted[n]);
        tally.once[n] += u32::from(set(w, once[n]).count_ones() <= size);
        tally.finally[n] += u32::from(set(w, finally[n]).count_ones() <= size);
    }
}

fn print(name: &str, tally: &Tally) {
    let percent = |n: u32, of: u32| 100.0 * f64::from(n) / f64::from(of.max(1));
    let [x, y, z] = tally.once.map(|n| percent(n, tally.possible));
    let [fx, fy, fz] = tally.finally.map(|n| percent(n, tally.possible));
    let refuted = percent(tally.refuted, tally.impossible);
    println!(
        "{name:26} x {x:5.1} y {y:5.1} z {z:5.1}   finally {fx:5.1} {fy:5.1} {fz:5.1}   refuted {refuted:5.1}"
    );
}

/// Prints the percentages of one relation over random triples of domains.
fn report(relation: &Relation, best: &mut Best, random: &mut Random, domains: [&[Known]; 3]) {
    let mut tally = Tally::default();
    for _ in 0..30_000 {
        let triple = [random.pick(domains[0]), random.pick(domains[1]), random.pick(domains[2])];
        count(relation, best, &mut tally, triple);
    }
    print(&relation.name, &tally);
}

fn main() {
    let (mut best, mut random) = (Best::default(), Random::new(11));
    let truths = known(Width::W1, all_domains(Width::W1));
    let dummy = known(Width::W1, vec![Domain::BOTH]);
    let w = width(4);
    for (kind, domains) in [("arcs", arc_domains(w)), ("arcs with bits", all_domains(w))] {
        println!("-- {kind} of 4 bits, in percent");
        let domains = known(w, domains);
        let all: [&[Known]; 3] = [&domains, &domains, &domains];
        for_operations(w, |relation| report(relation, &mut best, &mut random, all));
        for_conditions(w, |relation| report(relation, &mut best, &mut random, [&domains, &domains, &truths]));
        for_unary(w, &[2, 5], |relation| {
            let results = known(relation.widths[2], arc_domains(relation.widths[2]));
            report(relation, &mut best, &mut random, [&domains, &dummy, &results]);
        });
    }
}
