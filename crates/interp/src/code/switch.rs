//! Choosing the arm of a switch.

use quipu_ir::Case;
use quipu_num::Width;
use rustc_hash::FxHashMap;

use super::Pc;

/// The arms of a switch.
#[derive(Debug)]
pub(crate) struct SwitchTable {
    width: Width,
    arms: Arms,
    /// Where each edge leads; the default is the last.
    targets: Vec<Pc>,
}

#[derive(Debug)]
enum Arms {
    /// First and last value of each, tried in order.
    Ranges(Vec<(u64, u64)>),
    /// Many arms of one value each: value to arm.
    Values(FxHashMap<u64, usize>),
}

/// From this number of arms on, a hash table is faster than trying one after the other.
const MANY: usize = 8;

impl SwitchTable {
    pub fn new(width: Width, cases: &[Case], targets: Vec<Pc>) -> SwitchTable {
        let arms = if cases.len() >= MANY && cases.iter().all(|case| case.low == case.high) {
            let mut values = FxHashMap::default();
            for (arm, case) in cases.iter().enumerate() {
                values.entry(case.low).or_insert(arm);
            }
            Arms::Values(values)
        } else {
            Arms::Ranges(cases.iter().map(|case| (case.low, case.high)).collect())
        };
        SwitchTable { width, arms, targets }
    }

    /// Replaces every target.
    pub fn resolve(&mut self, place: impl Fn(&mut Pc)) {
        self.targets.iter_mut().for_each(place);
    }

    /// The edge that a value takes, and where it leads.
    pub fn choose(&self, value: u64) -> (usize, Pc) {
        let width = self.width;
        let arm = match &self.arms {
            Arms::Values(values) => values.get(&value).copied(),
            Arms::Ranges(ranges) => ranges.iter().position(|&(low, high)| {
                width.wrap(value.wrapping_sub(low)) <= width.wrap(high.wrapping_sub(low))
            }),
        };
        let edge = arm.unwrap_or(self.targets.len() - 1);
        (edge, self.targets[edge])
    }
}

#[cfg(test)]
mod tests {
    use quipu_base::Id;
    use quipu_ir::{Block, Edge, FileId, Span};

    use super::*;

    fn case(low: u64, high: u64) -> Case {
        let span = Span { file: FileId::new(0), line: 1, column: 1, end_line: 1, end_column: 1 };
        Case { low, high, span, edge: Edge::to(Block::new(0)) }
    }

    #[test]
    fn both_forms_agree_with_the_definition() {
        let few = vec![case(250, 3), case(3, 9), case(20, 20)];
        let many: Vec<Case> = (0..12).map(|n| case(n * n % 17, n * n % 17)).collect();
        for cases in [few, many] {
            let targets: Vec<Pc> = (0..=cases.len() as u32).collect();
            let table = SwitchTable::new(Width::W8, &cases, targets);
            for value in 0..=255 {
                let expected = cases.iter().position(|case| case.matches(value, Width::W8));
                assert_eq!(table.choose(value).0, expected.unwrap_or(cases.len()));
            }
        }
    }
}
