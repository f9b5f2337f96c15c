//! Octagons against their points.

use quipu_base::Random;

use super::{holds, literals, points, random_octagon, value};
use crate::octagon::{Bound, Literal, Octagon};

const SIZES: [(usize, i128); 3] = [(1, 5), (2, 4), (3, 2)];
const CASES: u64 = 3000;

fn for_all_sizes(mut check: impl FnMut(&mut Random, usize, i128)) {
    for (dims, radius) in SIZES {
        for seed in 1..=CASES {
            check(&mut Random::new(seed), dims, radius);
        }
    }
}

/// Every bound is met by some point, and no point is beyond it.
fn assert_exact(octagon: &Octagon, points: &[&Vec<i128>]) {
    for a in literals(octagon.dims()) {
        for b in literals(octagon.dims()) {
            let most = points.iter().map(|point| value(a, point) + value(b, point)).max();
            assert_eq!(most, Some(octagon.sum(a, b)), "{a:?} + {b:?} of {points:?}");
        }
    }
}

#[test]
fn closure_is_exact_and_sees_emptiness() {
    for_all_sizes(|random, dims, radius| match random_octagon(random, dims, radius) {
        (None, kept) => assert!(kept.is_empty(), "{kept:?} are lost"),
        (Some(octagon), kept) => {
            assert_exact(&octagon, &kept.iter().collect::<Vec<_>>());
            for n in 0..dims {
                let range = (kept.iter().map(|p| p[n]).min(), kept.iter().map(|p| p[n]).max());
                assert_eq!(range, (Some(octagon.range(n).0), Some(octagon.range(n).1)));
            }
        }
    });
}

#[test]
fn joins_and_meets_are_exact() {
    for_all_sizes(|random, dims, radius| {
        let ((a, in_a), (b, in_b)) =
            (random_octagon(random, dims, radius), random_octagon(random, dims, radius));
        let (Some(a), Some(b)) = (a, b) else { return };
        assert_exact(&a.join(&b), &in_a.iter().chain(&in_b).collect::<Vec<_>>());
        let both: Vec<&Vec<i128>> = in_a.iter().filter(|point| in_b.contains(point)).collect();
        match a.meet(&b).closed() {
            Some(met) => assert_exact(&met, &both),
            None => assert!(both.is_empty()),
        }
        assert_eq!(a.is_within(&b), both.len() == in_a.len());
    });
}

#[test]
fn widening_holds_both_sides() {
    let thresholds = [-2, 0, 1, 3];
    for_all_sizes(|random, dims, radius| {
        let ((a, in_a), (b, in_b)) =
            (random_octagon(random, dims, radius), random_octagon(random, dims, radius));
        let (Some(a), Some(b)) = (a, b) else { return };
        for thresholds in [&thresholds[..], &[]] {
            let wide = a.widened(&a.join(&b), thresholds);
            assert!(in_a.iter().chain(&in_b).all(|point| holds(&wide, point)));
            assert!(wide.closed().is_some(), "it is not empty");
        }
    });
}

#[test]
fn chains_of_widenings_end() {
    let thresholds = [-2, 0, 1, 3];
    for_all_sizes(|random, dims, _| {
        let mut random_point =
            || -> Vec<i128> { (0..dims).map(|_| random.number() as i32 as i128).collect() };
        let of_point = |point: &[i128]| {
            let mut octagon = Octagon::full(dims);
            literals(dims).into_iter().for_each(|a| octagon.note_most(a, value(a, point)));
            octagon.closed().expect("it has a point")
        };
        let mut now = of_point(&random_point());
        let mut steps = 0;
        // Each step moves a bound to a higher threshold or gives it up.
        let most_steps = 4 * dims * dims * (thresholds.len() + 1);
        for _ in 0..200 {
            let next = of_point(&random_point());
            if next.is_within(&now) {
                continue;
            }
            let closed = now.clone().closed().expect("it grows");
            now = now.widened(&closed.join(&next), &thresholds);
            steps += 1;
        }
        assert!(steps <= most_steps, "{steps} steps");
    });
}

#[test]
fn essential_bounds_say_all() {
    for_all_sizes(|random, dims, radius| {
        let (Some(octagon), kept) = random_octagon(random, dims, radius) else { return };
        let before = super::within(dims, radius).closed().expect("a box has points");
        let mut again = before.clone();
        octagon.essential(&before).into_iter().for_each(|bound| again.note(bound));
        let again = again.closed().expect("it has the same points");
        let same: Vec<Vec<i128>> =
            points(dims, radius).into_iter().filter(|point| holds(&again, point)).collect();
        assert_eq!(same, kept);
    });
}

#[test]
fn large_contradictions_are_seen() {
    let dims = 20;
    let mut octagon = Octagon::full(dims);
    for (a, b) in (0..dims).flat_map(|a| (0..dims).map(move |b| (a, b))).filter(|(a, b)| a != b) {
        // Each number is far below each other.
        let bound = Bound { a: Literal::new(a, false), b: Literal::new(b, true), most: -(1 << 79) };
        octagon.note(bound);
    }
    assert!(octagon.closed().is_none());
}
