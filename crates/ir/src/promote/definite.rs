//! Of the candidate slots, those whose accesses are defined on every path.
//!
//! Two kinds of facts hold or do not hold at a point, on all paths from the entry: *this slot has been
//! written in its current lifetime*, needed by a load; and *this address is of the slot's current lifetime*,
//! needed by an access through it. `SlotEnd` makes both false. The second kind matters only for addresses
//! that are used away from their `SlotAddr` (the front end rarely does that), so only those get a fact.
//!
//! Forward dataflow on bit sets, joined by intersection.

use quipu_base::IdVec;

use super::SlotAddresses;
use crate::cfg::Cfg;
use crate::function::{Block, FuncBody, Slot, Value};
use crate::inst::{Inst, InstKind};

/// The candidates of which no access can hit an unwritten or ended object.
pub fn keep_safe(
    body: &FuncBody,
    cfg: &Cfg,
    address_of: &SlotAddresses,
    candidates: IdVec<Slot, bool>,
) -> IdVec<Slot, bool> {
    let problem = Problem::build(body, address_of, &candidates);
    let at_entry = problem.solve(body, cfg);
    let mut safe = candidates;
    for (block, facts) in at_entry.entries() {
        let mut facts = facts.clone();
        for &step in &problem.steps[block] {
            match step {
                Step::Need(slot, fact) if !facts.contains(fact) => safe[slot] = false,
                Step::Need(..) => {}
                Step::Establish(fact) => facts.insert(fact),
                Step::End(slot) => problem.facts_of[slot].iter().for_each(|&fact| facts.remove(fact)),
            }
        }
    }
    safe
}

/// What an instruction means for the facts.
#[derive(Clone, Copy)]
enum Step {
    Establish(usize),
    End(Slot),
    Need(Slot, usize),
}

struct Problem {
    n_facts: usize,
    /// The facts about a slot; the first says that it has been written.
    facts_of: IdVec<Slot, Vec<usize>>,
    steps: IdVec<Block, Vec<Step>>,
}

impl Problem {
    fn build(body: &FuncBody, address_of: &SlotAddresses, candidates: &IdVec<Slot, bool>) -> Problem {
        let mut n_facts = 0;
        let mut new_fact = || {
            n_facts += 1;
            n_facts - 1
        };
        let mut facts_of: IdVec<Slot, Vec<usize>> =
            candidates.iter().map(|&yes| if yes { vec![new_fact()] } else { Vec::new() }).collect();
        let mut fact_of_address = IdVec::<Value, Option<usize>>::filled(None, body.values.len());
        for address in remote_addresses(body, address_of) {
            let slot = address_of[address].expect("a remote address should be a slot's");
            if candidates[slot] && fact_of_address[address].is_none() {
                let fact = new_fact();
                fact_of_address[address] = Some(fact);
                facts_of[slot].push(fact);
            }
        }
        let translate = Translate { address_of, candidates, facts_of: &facts_of, fact_of_address };
        let steps = body.blocks.iter().map(|data| translate.block(&data.insts)).collect();
        Problem { n_facts, facts_of, steps }
    }

    /// The facts that hold at the start of each block.
    fn solve(&self, body: &FuncBody, cfg: &Cfg) -> IdVec<Block, BitSet> {
        let effects: IdVec<Block, Effect> = self.steps.iter().map(|steps| self.effect(steps)).collect();
        let mut at_entry = IdVec::filled(BitSet::full(self.n_facts), body.blocks.len());
        let mut at_exit = at_entry.clone();
        at_entry[body.entry()] = BitSet::empty(self.n_facts);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in &cfg.reverse_postorder {
                if block != body.entry() {
                    let mut facts = BitSet::full(self.n_facts);
                    cfg.preds[block].iter().for_each(|&pred| facts.intersect(&at_exit[pred]));
                    at_entry[block] = facts;
                }
                let out = effects[block].apply(&at_entry[block]);
                changed |= out != at_exit[block];
                at_exit[block] = out;
            }
        }
        at_entry
    }

    fn effect(&self, steps: &[Step]) -> Effect {
        let mut effect =
            Effect { forgotten: BitSet::empty(self.n_facts), established: BitSet::empty(self.n_facts) };
        for &step in steps {
            match step {
                Step::Establish(fact) => effect.established.insert(fact),
                Step::End(slot) => {
                    for &fact in &self.facts_of[slot] {
                        effect.forgotten.insert(fact);
                        effect.established.remove(fact);
                    }
                }
                Step::Need(..) => {}
            }
        }
        effect
    }
}

/// The addresses with an access that does not follow them within their block and the slot's lifetime.
fn remote_addresses(body: &FuncBody, address_of: &SlotAddresses) -> Vec<Value> {
    let mut taken_at = IdVec::<Value, Option<(Block, usize)>>::filled(None, body.values.len());
    let mut ended_at = IdVec::<Slot, Option<(Block, usize)>>::filled(None, body.slots.len());
    let mut remote = Vec::new();
    for (block, data) in body.blocks.entries() {
        for (position, inst) in data.insts.iter().enumerate() {
            match inst.kind {
                InstKind::SlotAddr(_) => {
                    let result = inst.result.expect("an address should be a value");
                    taken_at[result] = Some((block, position));
                }
                InstKind::SlotEnd(slot) => ended_at[slot] = Some((block, position)),
                InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => {
                    let Some(slot) = address_of[ptr] else { continue };
                    let start = ended_at[slot].filter(|&(at, _)| at == block).unwrap_or((block, 0));
                    if taken_at[ptr].is_none_or(|taken| taken.0 != block || taken < start) {
                        remote.push(ptr);
                    }
                }
                _ => {}
            }
        }
    }
    remote
}

struct Translate<'a> {
    address_of: &'a SlotAddresses,
    candidates: &'a IdVec<Slot, bool>,
    facts_of: &'a IdVec<Slot, Vec<usize>>,
    fact_of_address: IdVec<Value, Option<usize>>,
}

impl Translate<'_> {
    fn block(&self, insts: &[Inst]) -> Vec<Step> {
        let mut steps = Vec::new();
        for inst in insts {
            match inst.kind {
                InstKind::SlotAddr(_) => {
                    let fact = inst.result.and_then(|result| self.fact_of_address[result]);
                    steps.extend(fact.map(Step::Establish));
                }
                InstKind::SlotEnd(slot) if self.candidates[slot] => steps.push(Step::End(slot)),
                InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => {
                    let Some(slot) = self.address_of[ptr].filter(|&slot| self.candidates[slot]) else {
                        continue;
                    };
                    let written = self.facts_of[slot][0];
                    let is_load = matches!(inst.kind, InstKind::Load { .. });
                    steps.extend(self.fact_of_address[ptr].map(|fact| Step::Need(slot, fact)));
                    steps.push(if is_load { Step::Need(slot, written) } else { Step::Establish(written) });
                }
                _ => {}
            }
        }
        steps
    }
}

/// The effect of a whole block.
struct Effect {
    forgotten: BitSet,
    established: BitSet,
}

impl Effect {
    fn apply(&self, facts: &BitSet) -> BitSet {
        let words = facts.words.iter().zip(&self.forgotten.words).zip(&self.established.words);
        BitSet { words: words.map(|((&facts, &forgotten), &new)| facts & !forgotten | new).collect() }
    }
}

/// A set of facts.
#[derive(Clone, PartialEq)]
struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    fn empty(n: usize) -> BitSet {
        BitSet { words: vec![0; n.div_ceil(64)] }
    }

    fn full(n: usize) -> BitSet {
        BitSet { words: vec![u64::MAX; n.div_ceil(64)] }
    }

    fn contains(&self, n: usize) -> bool {
        self.words[n / 64] >> (n % 64) & 1 == 1
    }

    fn insert(&mut self, n: usize) {
        self.words[n / 64] |= 1 << (n % 64);
    }

    fn remove(&mut self, n: usize) {
        self.words[n / 64] &= !(1 << (n % 64));
    }

    fn intersect(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, &other)| *word &= other);
    }
}
