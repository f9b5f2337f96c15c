//! A relation with its contractor, against all values.

use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::Width;

/// Operands and a result of at most six bits each, related by a table.
pub(super) struct Relation {
    name: String,
    widths: Vec<Width>,
    table: Vec<u64>,
}

/// How often a contractor reached the best domains.
#[derive(Clone, Copy, Default)]
pub(super) struct Tightness {
    pub(super) best: u64,
    pub(super) all: u64,
}

impl Relation {
    /// The last width is that of the result.
    pub(super) fn new(name: String, widths: &[Width], value: impl Fn(&[u64]) -> u64) -> Relation {
        let operands = &widths[..widths.len() - 1];
        let size = operands.iter().map(|w| w.bits()).sum::<u32>();
        let table = (0..1u64 << size).map(|index| value(&split(operands, index))).collect();
        Relation { name, widths: widths.to_vec(), table }
    }

    /// Contracts until nothing changes. No solution is lost and nothing is added; tells whether all that is left is
    /// as small as an arc can be.
    pub(super) fn check(&self, given: &[Domain], contract: impl Fn(&mut [Domain]) -> bool) -> bool {
        let wanted = self.solutions(given);
        let mut left = given.to_vec();
        let mut rounds = 0;
        loop {
            let before = left.clone();
            if !contract(&mut left) {
                assert!(wanted[0] == 0, "{} loses everything of {given:?}", self.name);
                return true;
            }
            for n in 0..left.len() {
                let (now, earlier) = (set(self.widths[n], left[n]), set(self.widths[n], before[n]));
                assert!(wanted[n] & !now == 0, "{} loses of operand {n} of {given:?}: {left:?}", self.name);
                assert!(now & !earlier == 0, "{} adds to operand {n} of {before:?}: {left:?}", self.name);
            }
            rounds += 1;
            assert!(rounds < 100, "{} should come to an end on {given:?}", self.name);
            if left == before {
                break;
            }
        }
        (0..left.len())
            .all(|n| set(self.widths[n], left[n]).count_ones() <= best(self.widths[n], given[n], wanted[n]))
    }

    /// The results among the given ones that the contractor leaves, and the smallest arc of them with all that there are.
    pub(super) fn image(
        &self,
        operands: &[Domain],
        results: Domain,
        contract: impl Fn(&mut [Domain]) -> bool,
    ) -> (u64, u64) {
        let w = *self.widths.last().expect("a result");
        let mut given = operands.to_vec();
        given.push(results);
        let wanted = self.solutions(&given)[operands.len()];
        let found = if contract(&mut given) { set(w, given[operands.len()]) } else { 0 };
        (found, smallest(w, results, results.lo(), wanted))
    }

    /// The values of each variable that belong to a solution.
    fn solutions(&self, given: &[Domain]) -> Vec<u64> {
        let sets: Vec<u64> = given.iter().zip(&self.widths).map(|(&d, &w)| set(w, d)).collect();
        let count = given.len() - 1;
        let mut wanted = vec![0; given.len()];
        self.walk(&sets, &mut [0; 4], 0, count, &mut wanted);
        wanted
    }

    fn walk(&self, sets: &[u64], chosen: &mut [u64; 4], n: usize, count: usize, wanted: &mut [u64]) {
        if n == count {
            let index = (0..count).fold(0, |index, k| index << self.widths[k].bits() | chosen[k]);
            let result = self.table[index as usize];
            if sets[count] >> result & 1 == 1 {
                (0..count).for_each(|k| wanted[k] |= 1 << chosen[k]);
                wanted[count] |= 1 << result;
            }
            return;
        }
        let mut rest = sets[n];
        while rest != 0 {
            chosen[n] = u64::from(rest.trailing_zeros());
            rest &= rest - 1;
            self.walk(sets, chosen, n + 1, count, wanted);
        }
    }
}

/// The operands of an index of the table; the first is in the highest bits.
fn split(widths: &[Width], mut index: u64) -> Vec<u64> {
    let mut operands: Vec<u64> = Vec::new();
    for w in widths.iter().rev() {
        operands.push(w.wrap(index));
        index >>= w.bits();
    }
    operands.reverse();
    operands
}

/// The values of a domain as the bits of a word.
pub(super) fn set(w: Width, domain: Domain) -> u64 {
    let (lo, span) = (domain.lo(), domain.interval().span(w));
    (0..=span).map(|n| w.wrap(lo + n)).filter(|&v| domain.bits().contains(v)).fold(0, |s, v| s | 1 << v)
}

/// The size of the smallest arc, inside that of `given` and with its bits, with all wanted values.
fn best(w: Width, given: Domain, wanted: u64) -> u32 {
    let size = |start: u64| smallest(w, given, start, wanted).count_ones();
    if given.is_full(w) { (0..=w.mask()).map(size).min().unwrap_or(0) } else { size(given.lo()) }
}

/// The values with the bits of `given` from the first to the last wanted one, seen from `start`.
fn smallest(w: Width, given: Domain, start: u64, wanted: u64) -> u64 {
    let mut offsets = (0..=w.mask()).filter(|&n| wanted >> w.wrap(start + n) & 1 == 1);
    let (first, last) = (offsets.clone().next(), offsets.next_back());
    let Some((first, last)) = first.zip(last) else { return 0 };
    let arc = Interval::new(w, w.wrap(start + first), w.wrap(start + last));
    set(w, Domain::new(w, arc, given.bits()).expect("the wanted values are there"))
}
