//! Congruences, and states of machine integers, against their members.

use quipu_base::{Id, Random};
use quipu_domain::Domain;
use quipu_model::Term;
use quipu_num::Width;

use super::holds;
use crate::congruence::Congruence;
use crate::octagon::{Literal, Octagon};
use crate::state::State;
use crate::turn::Dimension;

#[test]
fn congruences_keep_their_members() {
    let constants: Vec<Congruence> = (-6..=6).map(Congruence::constant).collect();
    let mut all = constants.clone();
    for &a in &constants {
        for &b in &constants {
            all.push(a.join(b));
        }
    }
    all.dedup();
    let members = |of: Congruence| (-30..=30).filter(move |&x| of.contains(x));
    for &a in &all {
        for &b in &all {
            let joined = a.join(b);
            assert!(members(a).chain(members(b)).all(|x| joined.contains(x)), "{a:?} {b:?}");
            assert_eq!(a.is_within(b), members(a).all(|x| b.contains(x)), "{a:?} {b:?}");
            for factor in [-3, -1, 0, 1, 2] {
                let sum = a.plus(b, factor);
                for x in members(a) {
                    assert!(members(b).all(|y| sum.contains(x + factor * y)), "{a:?} {factor} {b:?}");
                }
            }
        }
        for lo in -8..=8 {
            for hi in lo..=8 {
                let inside: Vec<i128> = members(a).filter(|x| (lo..=hi).contains(x)).collect();
                let ends = inside.first().copied().zip(inside.last().copied());
                assert_eq!(a.tightened((lo, hi)), ends, "{a:?} {lo} {hi}");
            }
        }
    }
}

fn width() -> Width {
    Width::new(3).expect("a width")
}

/// Two numbers, in all readings.
fn dimensions(signs: usize) -> Vec<Dimension> {
    let dimension = |n: usize| Dimension {
        term: Term::new(n),
        width: width(),
        signed: signs >> n & 1 == 1,
        passing: false,
    };
    (0..2).map(dimension).collect()
}

fn number(dimension: &Dimension, bits: u64) -> i128 {
    match dimension.signed {
        true => width().signed(bits).into(),
        false => bits.into(),
    }
}

fn numbers(dimensions: &[Dimension], member: &[u64]) -> Vec<i128> {
    dimensions.iter().zip(member).map(|(dimension, &bits)| number(dimension, bits)).collect()
}

fn contains(state: &State, dimensions: &[Dimension], member: &[u64]) -> bool {
    let point = numbers(dimensions, member);
    holds(&state.octagon, &point)
        && state.domains.iter().zip(member).all(|(domain, &bits)| domain.contains(width(), bits))
        && state.congruences.iter().zip(&point).all(|(congruence, &x)| congruence.contains(x))
}

fn of_member(dimensions: &[Dimension], member: &[u64]) -> State {
    let point = numbers(dimensions, member);
    let mut octagon = Octagon::full(dimensions.len());
    for (n, &x) in point.iter().enumerate() {
        octagon.note_most(Literal::new(n, false), x);
        octagon.note_most(Literal::new(n, true), -x);
    }
    State {
        octagon: octagon.closed().expect("it has a point"),
        domains: member.iter().map(|&bits| Domain::singleton(width(), bits)).collect(),
        congruences: point.iter().map(|&x| Congruence::constant(x)).collect(),
    }
}

fn all_members() -> impl Iterator<Item = Vec<u64>> {
    (0..64_u64).map(|n| vec![n & 7, n >> 3])
}

/// A state made of random members, and everything it holds.
fn random_state(random: &mut Random, dimensions: &[Dimension]) -> (State, Vec<Vec<u64>>) {
    let mut members =
        (0..1 + random.below(3)).map(|_| vec![random.number() & 7, random.number() & 7]).collect::<Vec<_>>();
    members.dedup();
    let joined =
        members.iter().map(|member| of_member(dimensions, member)).reduce(|a, b| a.join(&b, dimensions));
    let state = joined.expect("there is one");
    assert!(members.iter().all(|member| contains(&state, dimensions, member)));
    let held = all_members().filter(|member| contains(&state, dimensions, member)).collect();
    (state, held)
}

#[test]
fn operators_of_states_lose_no_member() {
    let thresholds = [-2, 0, 3];
    for seed in 1..=2000 {
        for signs in 0..4 {
            let random = &mut Random::new(seed);
            let dimensions = &dimensions(signs);
            let ((a, in_a), (b, in_b)) = (random_state(random, dimensions), random_state(random, dimensions));
            let reduced = a.reduced(dimensions).expect("it has members");
            assert!(in_a.iter().all(|member| contains(&reduced, dimensions, member)), "{seed} {a:?}");
            let joined = a.join(&b, dimensions);
            let wide = a.widened(&joined, dimensions, &thresholds);
            for state in [&joined, &wide] {
                assert!(in_a.iter().chain(&in_b).all(|member| contains(state, dimensions, member)), "{seed}");
            }
            let mut both = in_a.iter().filter(|member| in_b.contains(member));
            match a.meet(&b, dimensions) {
                Some(met) => {
                    assert!(both.all(|member| contains(&met, dimensions, member)), "{seed} {a:?} {b:?}")
                }
                None => assert!(both.next().is_none(), "{seed} {a:?} {b:?}"),
            }
            let is_part = in_a.iter().all(|member| in_b.contains(member));
            assert!(!a.is_within(&b, dimensions) || is_part, "{seed} {a:?} {b:?}");
        }
    }
}

#[test]
fn domains_of_the_start_are_kept() {
    let dimensions = &dimensions(1);
    for lo in 0..8 {
        for hi in 0..8 {
            let arc = quipu_domain::Interval::new(width(), lo, hi);
            let known = [(Term::new(0), Domain::from_interval(width(), arc))];
            let state = State::within(dimensions, &known).expect("an arc has members");
            for member in all_members() {
                let expected = arc.contains(width(), member[0]);
                assert!(!expected || contains(&state, dimensions, &member), "{lo} {hi} {member:?}");
                assert!(expected || !contains(&state, dimensions, &member), "{lo} {hi} {member:?}");
            }
        }
    }
}

#[test]
fn chains_of_widenings_end() {
    for seed in 1..=300 {
        let random = &mut Random::new(seed);
        let dimensions = &dimensions(random.below(4));
        let mut now = random_state(random, dimensions).0;
        let mut steps = 0;
        for _ in 0..200 {
            let next = random_state(random, dimensions).0;
            if next.is_within(&now, dimensions) {
                continue;
            }
            let start = now.reduced(dimensions).expect("it grows");
            now = now.widened(&start.join(&next, dimensions), dimensions, &[-1, 2]);
            steps += 1;
        }
        assert!(steps <= 60, "{seed}: {steps} steps");
    }
}
