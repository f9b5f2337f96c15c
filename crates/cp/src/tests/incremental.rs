//! Posting assertions one by one, with decisions taken and taken back in between, against posting them at once.
//!
//! The fixpoint may depend on the order: of two gaps an arc keeps the one that it came to first. Both must contain
//! all solutions and be fixpoints; how often they differ is counted.

use quipu_domain::Domain;
use quipu_model::{Model, Term, WrittenBodies};
use quipu_modelkit::Random;

use super::random_facts::open_atom;
use super::walk::{Worlds, check_fixpoint, small_model};
use crate::engine::{Engine, Fixpoint};
use crate::limits::Limits;

/// The domains at level 0 of all terms that take part, if propagation refutes nothing.
fn at_once(model: &Model) -> Option<(Engine<'static>, Vec<Domain>)> {
    let (mut engine, possible) = Engine::new(model.clone(), Box::new(WrittenBodies), Limits::default());
    if !possible || !matches!(engine.propagate(true), Fixpoint::Reached) {
        return None;
    }
    let domains = roots(&engine);
    Some((engine, domains))
}

fn one_by_one(model: &Model, random: &mut Random) -> Option<(Engine<'static>, Vec<Domain>)> {
    let mut assertions = model.assertions().to_vec();
    let mut bare = model.clone();
    bare.truncate_assertions(0);
    let (mut engine, _) = Engine::new(bare, Box::new(WrittenBodies), Limits::default());
    while !assertions.is_empty() {
        let assertion = assertions.swap_remove(random.below(assertions.len()));
        if !engine.assert(assertion) || !matches!(engine.propagate(true), Fixpoint::Reached) {
            return None;
        }
        for _ in 0..random.below(4) {
            try_decisions(&mut engine, random);
        }
    }
    let domains = roots(&engine);
    Some((engine, domains))
}

/// Decides and goes back; the domains are as before.
fn try_decisions(engine: &mut Engine<'_>, random: &mut Random) {
    let before = roots(engine);
    for _ in 0..random.below(4) {
        let open: Vec<Term> = engine
            .model
            .terms()
            .filter(|&term| engine.is_active(term) && engine.store.domain(term).is_singleton().is_none())
            .collect();
        if open.is_empty() {
            break;
        }
        let term = random.pick(&open);
        let atom = open_atom(random, term, engine.store.width(term), engine.store.domain(term));
        engine.decide(atom);
        if !matches!(engine.propagate(true), Fixpoint::Reached) {
            break;
        }
    }
    engine.backtrack(0);
    assert!(matches!(engine.propagate(true), Fixpoint::Reached), "level 0 was a fixpoint");
    assert_eq!(roots(engine), before, "going back should restore every domain");
}

fn roots(engine: &Engine<'_>) -> Vec<Domain> {
    let active = engine.model.terms().filter(|&term| engine.is_active(term));
    let known = |term: Term| {
        let root = engine.store.root(term);
        assert!(engine.store.level() > 0 || root == engine.store.domain(term), "level 0 is what is known");
        root
    };
    active.map(known).collect()
}

#[test]
fn posting_one_by_one_and_at_once() {
    let (mut both, mut differ, mut refuted_by_one) = (0, 0, 0);
    for seed in 0..4000 {
        let model = small_model(seed ^ 0xabcd_0000);
        let worlds = Worlds::of(&model);
        let n_solutions = worlds.solutions().count();
        let mut random = Random::new(seed);
        let (first, second) = (at_once(&model), one_by_one(&model, &mut random));
        refuted_by_one += u32::from(first.is_some() != second.is_some());
        for found in [&first, &second] {
            let Some((engine, _)) = found else {
                assert_eq!(n_solutions, 0, "seed {seed}: solutions are denied");
                continue;
            };
            check_fixpoint(engine);
            assert!(worlds.lie_within(engine), "seed {seed}: a solution is lost");
        }
        if let (Some((_, first)), Some((_, second))) = (first, second) {
            both += 1;
            differ += u32::from(first != second);
        }
    }
    println!("{differ} of {both} fixpoints differ, {refuted_by_one} refuted in one order only");
    assert!(differ * 50 < both, "the order of posting should seldom matter: {differ} of {both}");
}
