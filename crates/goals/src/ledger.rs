//! Adds up what tests show.

use quipu_base::{Id, IdVec};

use crate::bits::BitSet;
use crate::collect::Goals;
use crate::goal::{Goal, GoalId, Item};

/// What is known about all goals after some tests.
#[derive(Clone, Debug)]
pub struct Ledger<'g> {
    goals: &'g Goals,
    tests: Vec<BitSet>,
    /// All that the tests show.
    shown: BitSet,
    /// The first test that showed each item.
    first: IdVec<Item, Option<usize>>,
    /// For each covered goal the items, one for each part, that covered it first.
    cover: IdVec<GoalId, Option<Vec<Item>>>,
    n_covered: usize,
}

/// The evidence that a condition decides its decision: two tests, and how each evaluates the decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Independence {
    pub when_true: usize,
    pub when_false: usize,
    /// The values of the decision's conditions, such as `T F -`.
    pub true_vector: String,
    pub false_vector: String,
}

impl<'g> Ledger<'g> {
    /// A ledger without tests.
    pub fn new(goals: &'g Goals) -> Ledger<'g> {
        Ledger {
            goals,
            tests: Vec::new(),
            shown: BitSet::new(goals.items()),
            first: IdVec::filled(None, goals.items()),
            cover: IdVec::filled(None, goals.all().len()),
            n_covered: 0,
        }
    }

    /// The goals.
    pub fn goals(&self) -> &'g Goals {
        self.goals
    }

    /// Adds a test by the items that it shows; its number is that of the tests before it. Tells which goals it covers
    /// that were not covered, alone or together with earlier tests.
    pub fn add_test(&mut self, items: &BitSet) -> Vec<GoalId> {
        let test = self.tests.len();
        let new: Vec<Item> = items.iter().map(Item::new).filter(|&item| self.first[item].is_none()).collect();
        self.tests.push(items.clone());
        self.shown.union_with(items);
        new.iter().for_each(|&item| self.first[item] = Some(test));
        let mut covered = Vec::new();
        for item in new {
            for &(goal, part) in self.goals.uses(item) {
                if self.cover[goal].is_none() {
                    self.cover[goal] = self.completed(goal, part, item);
                    covered.extend(self.cover[goal].is_some().then_some(goal));
                }
            }
        }
        self.n_covered += covered.len();
        covered.sort_unstable();
        covered
    }

    /// Whether a test with these items would bring a goal nearer that is not covered.
    pub fn gains(&self, items: &BitSet) -> bool {
        if items.is_subset(&self.shown) {
            return false;
        }
        let new = items.iter().map(Item::new).filter(|&item| self.first[item].is_none());
        let mut uses = new.flat_map(|item| self.goals.uses(item));
        uses.any(|&(goal, part)| self.cover[goal].is_none() && self.needs(goal, part))
    }

    /// The number of tests.
    pub fn tests(&self) -> usize {
        self.tests.len()
    }

    /// The number of covered goals.
    pub fn covered(&self) -> usize {
        self.n_covered
    }

    /// Whether the tests meet a goal.
    pub fn is_covered(&self, goal: GoalId) -> bool {
        self.cover[goal].is_some()
    }

    /// The goals that no test meets yet.
    pub fn missing(&self) -> impl Iterator<Item = &'g Goal> {
        self.goals.all().iter().filter(|goal| self.cover[goal.id].is_none())
    }

    /// Whether some test goes a way of a part of a goal.
    pub fn is_part_covered(&self, goal: GoalId, part: usize) -> bool {
        self.shown(goal, part).next().is_some()
    }

    /// The tests that go a way of a part of a goal; but for MC/DC there is one part, with number 0.
    pub fn covered_by(&self, goal: GoalId, part: usize) -> Vec<usize> {
        let items = &self.goals.all()[goal].parts[part].items;
        let shows = |test: &BitSet| items.iter().any(|item| test.contains(item.index()));
        (0..self.tests.len()).filter(|&test| shows(&self.tests[test])).collect()
    }

    /// The evidence for a covered MC/DC goal.
    pub fn independence(&self, goal: GoalId) -> Option<Independence> {
        let (evaluations, _) = self.goals.obligation(goal)?;
        let &[when_true, when_false] = self.cover[goal].as_deref()? else { return None };
        let vector = |item| evaluations.path(item).map(|path| evaluations.vector(path));
        Some(Independence {
            when_true: self.first[when_true]?,
            when_false: self.first[when_false]?,
            true_vector: vector(when_true)?,
            false_vector: vector(when_false)?,
        })
    }

    /// Whether another way of a part can help: not if a way was gone already and all ways are as good.
    fn needs(&self, goal: GoalId, part: usize) -> bool {
        !self.goals.any_pair(goal) || !self.is_part_covered(goal, part)
    }

    /// The items that cover a goal now that one more was shown. Among several partners one is preferred that also
    /// agrees in all other conditions, which is the clearest evidence.
    fn completed(&self, goal: GoalId, part: usize, item: Item) -> Option<Vec<Item>> {
        let Some((evaluations, cond)) = self.goals.obligation(goal) else { return Some(vec![item]) };
        let ordered = |other| if part == 0 { (item, other) } else { (other, item) };
        let partners = self.shown(goal, 1 - part).filter(|&other| {
            let (when_true, when_false) = ordered(other);
            self.goals.pair(goal, when_true, when_false)
        });
        let agrees = |&other: &Item| match (evaluations.path(item), evaluations.path(other)) {
            (Some(one), Some(another)) => one.pairs_with(another, cond),
            _ => false,
        };
        let (when_true, when_false) = ordered(partners.min_by_key(|other| !agrees(other))?);
        Some(vec![when_true, when_false])
    }

    fn shown(&self, goal: GoalId, part: usize) -> impl Iterator<Item = Item> {
        let items = self.goals.all()[goal].parts[part].items.iter().copied();
        items.filter(|&item| self.first[item].is_some())
    }
}
