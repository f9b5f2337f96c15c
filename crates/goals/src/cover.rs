//! Small set covers: a few sets that together have all elements of all sets.
//!
//! First what needs no choice: an element of one set only takes that set; a set inside another one goes, and so does an
//! element whose sets all have another element that stays. What is left is searched completely if it is small, by
//! branching over the sets of an element with the fewest of them; otherwise greedily (Chvátal, "A greedy heuristic for
//! the set-covering problem", 1979), and sets that became redundant go.
//!
//! Fewest sets come first; among equals the smaller sum of costs is preferred, without a guarantee. Ties go to the set
//! with the smaller number.

use crate::bits::BitSet;

/// With more sets left than this the search is not tried.
const MOST_SETS: usize = 20;

/// The steps after which the search gives up.
const MOST_STEPS: u32 = 200_000;

/// Sets that have all elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// The numbers of the sets, ascending.
    pub chosen: Vec<usize>,
    /// Whether no cover has fewer sets.
    pub minimal: bool,
}

/// Chooses few of the sets so that they have all elements that all of them have.
pub fn minimum_cover(sets: &[BitSet], costs: &[u64]) -> Cover {
    let mut problem = Problem::new(sets, costs);
    problem.reduce();
    let greedy = problem.greedy();
    let (rest, minimal) =
        if problem.live.len() <= MOST_SETS { problem.search(greedy) } else { (greedy, false) };
    let mut chosen = problem.forced;
    chosen.extend(rest);
    chosen.sort_unstable();
    Cover { chosen, minimal }
}

struct Problem<'a> {
    costs: &'a [u64],
    /// What each set has of the elements that are still to be covered.
    sets: Vec<BitSet>,
    open: BitSet,
    /// The sets that may still be chosen.
    live: Vec<usize>,
    /// The sets that every cover that is left needs.
    forced: Vec<usize>,
}

/// The sets that have an element.
#[derive(Clone, Copy)]
enum Owner {
    None,
    One(usize),
    Several,
}

impl<'a> Problem<'a> {
    fn new(sets: &[BitSet], costs: &'a [u64]) -> Problem<'a> {
        let mut open = sets.first().cloned().unwrap_or_default();
        sets.iter().for_each(|set| open.union_with(set));
        Problem { costs, sets: sets.to_vec(), open, live: (0..sets.len()).collect(), forced: Vec::new() }
    }

    fn reduce(&mut self) {
        // This alone often leaves little, and costs little.
        self.take_forced_sets();
        loop {
            let before = (self.live.len(), self.open.len());
            self.drop_inner_sets();
            self.drop_implied_elements();
            self.take_forced_sets();
            if before == (self.live.len(), self.open.len()) {
                return;
            }
        }
    }

    /// Of two sets, one of which has all that the other has, only the larger is needed; of equal ones the cheaper.
    fn drop_inner_sets(&mut self) {
        let is_inner = |&inner: &usize| {
            let rank = |set: usize| (self.costs[set], set);
            self.sets[inner].is_empty()
                || self.live.iter().any(|&outer| {
                    outer != inner
                        && self.sets[inner].is_subset(&self.sets[outer])
                        && (!self.sets[outer].is_subset(&self.sets[inner]) || rank(outer) < rank(inner))
                })
        };
        self.live = self.live.iter().copied().filter(|set| !is_inner(set)).collect();
    }

    /// An element is covered by itself if another one is that has only sets of the first.
    fn drop_implied_elements(&mut self) {
        let elements: Vec<(usize, BitSet)> = self.open.iter().map(|n| (n, self.owners(n))).collect();
        let is_implied = |n: usize, owners: &BitSet| {
            elements.iter().any(|(other, others)| {
                *other != n && others.is_subset(owners) && (!owners.is_subset(others) || *other < n)
            })
        };
        for (n, owners) in &elements {
            if is_implied(*n, owners) {
                self.open.remove(*n);
                self.live.iter().for_each(|&set| self.sets[set].remove(*n));
            }
        }
    }

    fn owners(&self, element: usize) -> BitSet {
        let mut owners = BitSet::new(self.sets.len());
        for &set in self.live.iter().filter(|&&set| self.sets[set].contains(element)) {
            owners.insert(set);
        }
        owners
    }

    /// A set is needed that alone has some element. Nothing else becomes needed when it is taken: what it has is covered
    /// then, and the sets of everything else stay.
    fn take_forced_sets(&mut self) {
        let mut only: Vec<Owner> = vec![Owner::None; self.open.bound()];
        for &set in &self.live {
            for element in self.sets[set].iter() {
                only[element] = match only[element] {
                    Owner::None => Owner::One(set),
                    Owner::One(_) | Owner::Several => Owner::Several,
                };
            }
        }
        let mut taken = BitSet::new(self.open.bound());
        let mut forced = BitSet::new(self.sets.len());
        for element in self.open.iter() {
            if let Owner::One(set) = only[element] {
                forced.insert(set);
                taken.union_with(&self.sets[set]);
            }
        }
        self.live.retain(|&set| !forced.contains(set));
        self.live.iter().for_each(|&set| self.sets[set].subtract(&taken));
        self.open.subtract(&taken);
        self.forced.extend(forced.iter());
    }

    /// Takes the set with the most open elements again and again, then drops what the others make redundant.
    fn greedy(&self) -> Vec<usize> {
        let mut open = self.open.clone();
        let mut chosen = Vec::new();
        while !open.is_empty() {
            let worth =
                |set: usize| (self.sets[set].common(&open), std::cmp::Reverse((self.costs[set], set)));
            let best = self.live.iter().copied().max_by_key(|&set| worth(set));
            let best = best.expect("an open element should be in a set");
            open.subtract(&self.sets[best]);
            chosen.push(best);
        }
        self.without_redundant(chosen)
    }

    /// Drops sets whose elements the others have, the most expensive ones first.
    fn without_redundant(&self, mut chosen: Vec<usize>) -> Vec<usize> {
        let mut order = chosen.clone();
        order.sort_unstable_by_key(|&set| std::cmp::Reverse((self.costs[set], set)));
        for set in order {
            let mut missing = self.open.clone();
            chosen
                .iter()
                .filter(|&&other| other != set)
                .for_each(|&other| missing.subtract(&self.sets[other]));
            if missing.is_empty() {
                chosen.retain(|&other| other != set);
            }
        }
        chosen
    }

    /// The best cover, starting from a known one, and whether the search was complete.
    fn search(&self, known: Vec<usize>) -> (Vec<usize>, bool) {
        let cost = known.iter().map(|&set| self.costs[set]).sum();
        let mut search = Search { problem: self, best: known, best_cost: cost, steps: MOST_STEPS };
        search.branch(&self.open, &mut Vec::new(), 0);
        (search.best, search.steps > 0)
    }
}

/// A search for a cover with fewer sets, or as many and cheaper.
struct Search<'p, 'a> {
    problem: &'p Problem<'a>,
    best: Vec<usize>,
    best_cost: u64,
    steps: u32,
}

impl Search<'_, '_> {
    fn branch(&mut self, open: &BitSet, chosen: &mut Vec<usize>, cost: u64) {
        if open.is_empty() {
            if (chosen.len(), cost) < (self.best.len(), self.best_cost) {
                (self.best, self.best_cost) = (chosen.clone(), cost);
            }
            return;
        }
        let problem = self.problem;
        let largest = problem.live.iter().map(|&set| problem.sets[set].common(open)).max().unwrap_or(0);
        let at_least = chosen.len() + open.len().div_ceil(largest.max(1));
        if self.steps == 0 || (at_least, cost) >= (self.best.len(), self.best_cost) {
            return;
        }
        self.steps -= 1;
        let owners =
            |element: usize| problem.live.iter().filter(move |&&set| problem.sets[set].contains(element));
        let element = open.iter().min_by_key(|&element| owners(element).count());
        let candidates: Vec<usize> = element.into_iter().flat_map(owners).copied().collect();
        for set in candidates {
            let mut rest = open.clone();
            rest.subtract(&problem.sets[set]);
            chosen.push(set);
            self.branch(&rest, chosen, cost.saturating_add(problem.costs[set]));
            chosen.pop();
        }
    }
}
