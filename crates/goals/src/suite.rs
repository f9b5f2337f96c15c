//! Which tests of a pool to keep: few that cover every goal that the whole pool covers.
//!
//! A goal that one run meets needs one test. An MC/DC goal needs a test for each half; under unique cause these two must
//! fit together. The halves are a set cover, which bounds from below what unique cause needs. If its tests do not fit
//! together, each obligation settles on one pair, and the cover of all these evaluations is the answer.

use quipu_base::Id;

use crate::bits::BitSet;
use crate::collect::Goals;
use crate::cover::{Cover, minimum_cover};
use crate::goal::{Goal, Item};

/// A test of a pool.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// What it shows.
    pub items: &'a BitSet,
    /// Among equals, the test with the smallest cost is kept.
    pub cost: u64,
}

/// The tests to keep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Their numbers, ascending.
    pub kept: Vec<usize>,
    /// Whether no smaller part of the pool covers the same goals.
    pub minimal: bool,
}

/// Selects tests that cover all goals that the pool covers.
pub fn select(goals: &Goals, pool: &[Candidate<'_>]) -> Selection {
    let shown = union(goals, pool.iter().map(|test| test.items));
    let mut needs: Vec<Vec<Item>> = goals.all().iter().flat_map(|goal| halves(goals, goal, &shown)).collect();
    let Cover { chosen, minimal } = cover(&mut needs, pool);
    let kept_items = union(goals, chosen.iter().map(|&test| pool[test].items));
    let pairs: Vec<&Goal> = goals.all().iter().filter(|goal| !goals.any_pair(goal.id)).collect();
    let covered = pairs.into_iter().filter(|goal| first_pair(goals, goal, &shown, &shown).is_some());
    let covered: Vec<&Goal> = covered.collect();
    if covered.iter().all(|goal| first_pair(goals, goal, &kept_items, &kept_items).is_some()) {
        return Selection { kept: chosen, minimal };
    }
    let mut wanted = kept_items;
    for goal in covered {
        let (when_true, when_false) = nearest_pair(goals, goal, &shown, &wanted);
        needs.extend([vec![when_true], vec![when_false]]);
        wanted.insert(when_true.index());
        wanted.insert(when_false.index());
    }
    let fitting = cover(&mut needs, pool);
    let minimal = minimal && fitting.chosen.len() == chosen.len();
    Selection { kept: fitting.chosen, minimal }
}

fn union<'a>(goals: &Goals, sets: impl Iterator<Item = &'a BitSet>) -> BitSet {
    let mut all = BitSet::new(goals.items());
    sets.for_each(|set| all.union_with(set));
    all
}

/// What a goal that the shown items cover needs at least: for each part one of these items.
fn halves(goals: &Goals, goal: &Goal, shown: &BitSet) -> Vec<Vec<Item>> {
    let of_part = |part: usize| -> Vec<Item> {
        let items = goal.parts[part].items.iter().copied().filter(|item| shown.contains(item.index()));
        items.filter(|&item| goals.any_pair(goal.id) || partner(goals, goal, part, item, shown)).collect()
    };
    let needs: Vec<Vec<Item>> = (0..goal.parts.len()).map(of_part).collect();
    if needs.iter().any(Vec::is_empty) { Vec::new() } else { needs }
}

/// Whether an item of a part has one of the other part to go with it.
fn partner(goals: &Goals, goal: &Goal, part: usize, item: Item, shown: &BitSet) -> bool {
    let mut others = goal.parts[1 - part].items.iter().filter(|other| shown.contains(other.index()));
    others.any(|&other| {
        let (when_true, when_false) = if part == 0 { (item, other) } else { (other, item) };
        goals.pair(goal.id, when_true, when_false)
    })
}

/// A small cover of the needs by tests of the pool.
fn cover(needs: &mut Vec<Vec<Item>>, pool: &[Candidate<'_>]) -> Cover {
    needs.sort_unstable();
    needs.dedup();
    let most = needs.iter().flatten().map(|item| item.index() + 1).max().unwrap_or(0);
    let mut good_for: Vec<Vec<usize>> = vec![Vec::new(); most];
    for (n, need) in needs.iter().enumerate() {
        need.iter().for_each(|item| good_for[item.index()].push(n));
    }
    let elements = |test: &Candidate<'_>| {
        let mut set = BitSet::new(needs.len());
        for item in test.items.iter().take_while(|&item| item < most) {
            for &need in &good_for[item] {
                set.insert(need);
            }
        }
        set
    };
    let sets: Vec<BitSet> = pool.iter().map(elements).collect();
    let costs: Vec<u64> = pool.iter().map(|test| test.cost).collect();
    minimum_cover(&sets, &costs)
}

/// The first pair of a goal whose items are in these sets.
fn first_pair(goals: &Goals, goal: &Goal, trues: &BitSet, falses: &BitSet) -> Option<(Item, Item)> {
    let [when_true, when_false] = goal.parts.as_slice() else { return None };
    let shown = |set: &BitSet, item: &Item| set.contains(item.index());
    when_true.items.iter().filter(|item| shown(trues, item)).find_map(|&one| {
        let mut others = when_false.items.iter().filter(|item| shown(falses, item));
        others.find(|&&other| goals.pair(goal.id, one, other)).map(|&other| (one, other))
    })
}

/// A pair with as many items as possible among the wanted ones.
fn nearest_pair(goals: &Goals, goal: &Goal, shown: &BitSet, wanted: &BitSet) -> (Item, Item) {
    let choices = [(wanted, wanted), (wanted, shown), (shown, wanted), (shown, shown)];
    let pair = choices.into_iter().find_map(|(trues, falses)| first_pair(goals, goal, trues, falses));
    pair.expect("a covered goal should have a pair")
}
