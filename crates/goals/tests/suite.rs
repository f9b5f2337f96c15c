//! Small suites against brute force.

mod support;

use quipu_goals::{BitSet, Candidate, Credit, Criterion, Goals, Ledger, McdcForm, minimum_cover, select};
use quipu_interp::{Limits, Machine, ZeroInputs};
use quipu_testkit::rng::Rng;
use support::{ALL, compile, goals};

fn set(bound: usize, members: impl IntoIterator<Item = usize>) -> BitSet {
    let mut set = BitSet::new(bound);
    for n in members {
        set.insert(n);
    }
    set
}

fn union(sets: &[BitSet], chosen: impl Iterator<Item = usize>) -> BitSet {
    let mut all = sets[0].clone();
    all.clear();
    chosen.for_each(|n| all.union_with(&sets[n]));
    all
}

#[test]
fn covers_are_complete_and_minimal() {
    let mut proved = 0;
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let (n_sets, bound) = (1 + rng.index(10), 1 + rng.index(14));
        let density = 10 + rng.below(50) as u32;
        let sets: Vec<BitSet> =
            (0..n_sets).map(|_| set(bound, (0..bound).filter(|_| rng.chance(density)))).collect();
        let costs: Vec<u64> = sets.iter().map(|_| rng.below(5)).collect();
        let all = union(&sets, 0..n_sets);
        let cover = minimum_cover(&sets, &costs);
        assert_eq!(union(&sets, cover.chosen.iter().copied()), all, "seed {seed}");
        let members = |mask: usize| (0..n_sets).filter(move |n| mask >> n & 1 != 0);
        let least = (0..1usize << n_sets)
            .filter(|&mask| union(&sets, members(mask)) == all)
            .map(|mask| mask.count_ones() as usize)
            .min();
        assert!(cover.minimal, "seed {seed}");
        assert_eq!(Some(cover.chosen.len()), least, "seed {seed}");
        proved += usize::from(cover.chosen.len() > 2);
    }
    assert!(proved > 100, "only {proved} covers of more than two sets");
}

#[test]
fn equal_sets_leave_the_cheapest() {
    let sets = [set(3, [0, 1]), set(3, [0, 1]), set(3, [2]), set(3, [0, 1])];
    let cover = minimum_cover(&sets, &[5, 2, 1, 2]);
    assert_eq!((cover.chosen, cover.minimal), (vec![1, 2], true));
}

#[test]
fn large_problems_are_covered() {
    let mut rng = Rng::new(7);
    let sets: Vec<BitSet> = (0..300).map(|_| set(500, (0..500).filter(|_| rng.chance(3)))).collect();
    let costs: Vec<u64> = sets.iter().map(|_| rng.below(100)).collect();
    let cover = minimum_cover(&sets, &costs);
    assert_eq!(union(&sets, cover.chosen.iter().copied()), union(&sets, 0..300));
    assert!(!cover.minimal && cover.chosen.len() < 120, "{}", cover.chosen.len());
    for &dropped in &cover.chosen {
        let rest = cover.chosen.iter().copied().filter(|&n| n != dropped);
        assert_ne!(union(&sets, rest), union(&sets, 0..300), "set {dropped} is redundant");
    }
}

#[test]
fn no_tests_and_no_goals() {
    assert_eq!(minimum_cover(&[], &[]).chosen, [0usize; 0]);
    let program = compile("int f(void) { return 0; }");
    let goals = goals(&program, &[Criterion::Branch]);
    let nothing = BitSet::new(goals.items());
    let kept = select(&goals, &[Candidate { items: &nothing, cost: 1 }]);
    assert_eq!((kept.kept.len(), kept.minimal), (0, true));
}

/// What each of many runs of `f` with four small arguments shows.
fn pool(text: &str, criteria: &[Criterion], seed: u64, runs: usize) -> (Goals, Vec<BitSet>) {
    let program = compile(text);
    let goals = goals(&program, criteria);
    let mut rng = Rng::new(seed);
    let mut machine = Machine::new(&program.module, Limits::default());
    let func = program.module.function("f").expect("f should exist");
    let mut credit = Credit::new(&goals);
    let mut shown = Vec::new();
    for _ in 0..runs {
        let args: Vec<u64> = (0..4).map(|_| rng.below(2)).collect();
        machine.reset();
        credit.clear();
        machine.run(func, &args, &mut ZeroInputs, &mut credit);
        shown.push(credit.items().clone());
    }
    (goals, shown)
}

fn covered(goals: &Goals, tests: impl Iterator<Item = BitSet>) -> Vec<bool> {
    let mut ledger = Ledger::new(goals);
    tests.for_each(|test| drop(ledger.add_test(&test)));
    goals.all().iter().map(|goal| ledger.is_covered(goal.id)).collect()
}

const DECISIONS: [&str; 4] = [
    "int f(int a, int b, int c, int d) { if ((a || b) && (c || d)) return 1; return 0; }",
    "int f(int a, int b, int c, int d) { return (a && b) || (c && d) ? 1 : a && d; }",
    "int f(int a, int b, int c, int d) { if (a && (b || (c && d))) return 1; return 0; }",
    "int f(int a, int b, int c, int d) { if (!(a || b) || (a && c) || d) return 1; return b && c; }",
];

#[test]
fn selections_cover_what_the_pool_covers() {
    for (n, text) in DECISIONS.iter().enumerate() {
        for criteria in
            [&ALL[..], &[Criterion::Mcdc(McdcForm::UniqueCause)], &[Criterion::Mcdc(McdcForm::Masking)]]
        {
            for seed in 0..40 {
                let (goals, shown) = pool(text, criteria, seed, 9);
                let candidates: Vec<Candidate<'_>> =
                    shown.iter().map(|items| Candidate { items, cost: 1 }).collect();
                let selection = select(&goals, &candidates);
                let whole = covered(&goals, shown.iter().cloned());
                let kept = covered(&goals, selection.kept.iter().map(|&test| shown[test].clone()));
                assert_eq!(kept, whole, "decision {n}, seed {seed}");
                let members = |mask: usize| (0..shown.len()).filter(move |n| mask >> n & 1 != 0);
                let least = (0..1usize << shown.len())
                    .filter(|mask| (mask.count_ones() as usize) < selection.kept.len())
                    .find(|&mask| covered(&goals, members(mask).map(|n| shown[n].clone())) == whole);
                if selection.minimal {
                    assert_eq!(least, None, "decision {n}, seed {seed}");
                }
            }
        }
    }
}

#[test]
fn ledgers_tell_who_covers_what() {
    let program = compile("int f(int a, int b, int c, int d) { if (a && b) return c; return d; }");
    let goals = goals(&program, &[Criterion::Branch, Criterion::Mcdc(McdcForm::Masking)]);
    let mut ledger = Ledger::new(&goals);
    let test = |args| support::shows(&program, &goals, "f", args);
    let ids: Vec<_> = goals.all().iter().map(|goal| goal.id).collect();
    let [yes, no, a, b] = ids[..] else { panic!("{ids:?}") };
    assert_eq!(ledger.add_test(&test(&[1, 1, 0, 0])), [yes]);
    assert_eq!(ledger.add_test(&test(&[1, 1, 1, 1])), []);
    assert!(ledger.gains(&test(&[0, 1, 0, 0])));
    assert_eq!(ledger.add_test(&test(&[0, 1, 0, 0])), [no, a]);
    assert!(!ledger.gains(&test(&[0, 0, 0, 0])));
    assert_eq!(ledger.missing().map(|goal| goal.id).collect::<Vec<_>>(), [b]);
    assert_eq!(ledger.covered_by(yes, 0), [0, 1]);
    assert_eq!((ledger.covered_by(b, 0), ledger.covered_by(b, 1)), (vec![0, 1], vec![]));
    let pair = ledger.independence(a).expect("`a` should be covered");
    assert_eq!((pair.when_true, pair.when_false), (0, 2));
    assert_eq!((pair.true_vector.as_str(), pair.false_vector.as_str()), ("T T", "F -"));
    assert_eq!((ledger.covered(), ledger.tests()), (3, 3));
}
