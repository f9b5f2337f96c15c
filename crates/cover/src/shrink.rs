//! Values that a person would choose: as small and as round as the goals allow.

use quipu_goals::BitSet;
use quipu_inputs::{Extent, Inputs, Interface, LeafInfo, NothingMore, Place, Request, answered};
use quipu_interp::{END_AHEAD, Held, InputKind};
use quipu_ir::Ty;
use quipu_num::FloatWidth;

use crate::clock::Clock;
use crate::floats::{self, Complexity};
use crate::pool::{Found, Pool};

/// Runs that may be spent on one test.
const MOST_RUNS: u64 = 3000;
/// Objects with more numbers are set to zero in blocks first.
const LEAST_FOR_ZEROS: usize = 16;
/// Elements are left out of arrays with at most so many of them: nobody writes longer texts as tests.
const MOST_TO_LEAVE_OUT: usize = 256;
/// So many values of a volatile object are tried for all its reads.
const MOST_STEADY: usize = 4;
/// Instructions of the interpreter that may be spent on one test: a run that never ends is long.
const MOST_STEPS: u64 = 20_000_000;

/// Makes values simpler as long as they are as good: `try_out` runs inputs and, if they are, says what the environment
/// was asked for. `clock` ends that early.
pub(crate) fn shrink(
    interface: &Interface,
    inputs: &mut Inputs,
    clock: &Clock,
    try_out: &mut dyn FnMut(&Inputs) -> Option<Vec<Request>>,
) {
    let (floats, deeds, kinds, read) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut shrinker = Shrinker { interface, clock, try_out, runs: 0, floats, deeds, kinds, read };
    for _ in 0..2 {
        let before = inputs.clone();
        shrinker.zeros(inputs);
        shrinker.shorter(inputs);
        shrinker.together(inputs);
        shrinker.one_by_one(inputs);
        shrinker.sequence(inputs);
        shrinker.steady(inputs);
        if *inputs == before {
            break;
        }
    }
}

/// Makes the values of a test simpler, as long as it shows at least what it shows now.
pub(crate) fn simplify(pool: &mut Pool<'_>, interface: &Interface, test: &mut Found, clock: &Clock) {
    let Found { inputs, items, clean } = test;
    let before = pool.steps();
    shrink(interface, inputs, clock, &mut |other| {
        if pool.steps() - before > MOST_STEPS {
            return None;
        }
        let shown = pool.show(other, &mut NothingMore)?;
        let good = (shown.clean || !*clean) && is_superset(&shown.items, items);
        if good {
            (*items, *clean) = (shown.items, shown.clean);
        }
        good.then_some(shown.requests)
    });
}

struct Shrinker<'a> {
    interface: &'a Interface,
    clock: &'a Clock,
    try_out: &'a mut dyn FnMut(&Inputs) -> Option<Vec<Request>>,
    runs: u64,
    /// Which answers of the environment are floats, in the run that was taken last.
    floats: Vec<Option<FloatWidth>>,
    /// Which of them say that a function that nobody defines does something, and how many follow that tell what.
    deeds: Vec<(usize, usize)>,
    /// What they are used for.
    kinds: Vec<InputKind>,
    /// Where the volatile objects are that were read for them.
    read: Vec<Option<Held>>,
}

impl Shrinker<'_> {
    /// Whether nothing more is tried. Then no inputs need to be made up either: where there are very many, that takes
    /// longer than to run them.
    fn is_over(&self) -> bool {
        self.runs > MOST_RUNS || self.clock.stopped().is_some()
    }

    /// Takes other inputs if they are as good.
    fn take(&mut self, inputs: &mut Inputs, other: Inputs) -> bool {
        if other == *inputs || self.is_over() {
            return false;
        }
        self.runs += 1;
        let Some(requests) = (self.try_out)(&other) else { return false };
        self.take_answers(&requests);
        let sequence = requests.iter().map(|request| request.bits).collect();
        *inputs = Inputs { sequence, ..other };
        true
    }

    fn take_answers(&mut self, requests: &[Request]) {
        let format = |request: &Request| request.ty.float_width().filter(|_| request.kind != InputKind::End);
        self.floats = requests.iter().map(format).collect();
        self.deeds = deeds(requests);
        self.kinds = requests.iter().map(|request| request.kind).collect();
        self.read = requests.iter().map(|request| request.held).collect();
    }

    /// Functions that nobody defines do less.
    fn fewer_deeds(&mut self, inputs: &mut Inputs) {
        let mut n = self.deeds.len();
        while n > 0 {
            n -= 1;
            let Some(&(at, count)) = self.deeds.get(n) else { continue };
            let mut other = inputs.clone();
            if at < other.sequence.len() {
                other.sequence[at] = 0;
                let end = (at + 1 + count).min(other.sequence.len());
                other.sequence.drain(at + 1..end);
                self.take(inputs, other);
            }
        }
    }

    /// Zeros in the place of many numbers of a large array at once, then of fewer.
    fn zeros(&mut self, inputs: &mut Inputs) {
        use quipu_base::Id;
        let interface = self.interface;
        for object in interface.objects.iter().filter(|object| object.leaves.len() > LEAST_FOR_ZEROS) {
            let numbers: Vec<usize> = object.leaves.iter().map(|leaf| leaf.index()).collect();
            let mut size = numbers.len().next_power_of_two() / 2;
            while size > 1 {
                for block in numbers.chunks(size) {
                    if self.is_over() {
                        return;
                    }
                    let mut other = inputs.clone();
                    for &n in block.iter().filter(|&&n| self.is_number(n) && self.leaf(n).allows(0)) {
                        other.leaves[n] = 0;
                    }
                    self.take(inputs, other);
                }
                size /= 2;
            }
        }
    }

    /// Arrays whose elements move up where one is left out: what a shorter text is.
    fn shorter(&mut self, inputs: &mut Inputs) {
        use quipu_base::Id;
        let interface = self.interface;
        for object in interface.objects.iter() {
            let elements: Vec<usize> = object.leaves.iter().map(|leaf| leaf.index()).collect();
            let same = |&n: &usize| self.is_number(n) && self.leaf(n).ty == self.leaf(elements[0]).ty;
            if !(2..=MOST_TO_LEAVE_OUT).contains(&elements.len()) || !elements.iter().all(same) {
                continue;
            }
            let mut at = 0;
            while at < elements.len() && !self.is_over() {
                let mut other = inputs.clone();
                for (to, from) in elements[at..].iter().zip(&elements[at + 1..]) {
                    other.leaves[*to] = inputs.leaves[*from];
                }
                other.leaves[elements[elements.len() - 1]] = 0;
                let allowed = elements.iter().all(|&n| self.leaf(n).allows(other.leaves[n]));
                if !(allowed && self.take(inputs, other)) {
                    at += 1;
                }
            }
        }
    }

    /// Inputs with equal values often must stay equal.
    fn together(&mut self, inputs: &mut Inputs) {
        let mut values = inputs.leaves.clone();
        values.sort_unstable();
        values.dedup();
        for value in values {
            let same = |inputs: &Inputs| -> Vec<usize> {
                (0..inputs.leaves.len()).filter(|&n| inputs.leaves[n] == value && self.is_number(n)).collect()
            };
            if self.is_over() {
                return;
            }
            let group = same(inputs);
            if group.len() < 2 {
                continue;
            }
            let info = self.leaf(group[0]).clone();
            for candidate in simpler(&info, value) {
                let mut other = inputs.clone();
                for &n in &group {
                    if self.leaf(n).ty == info.ty && self.leaf(n).allows(candidate) {
                        other.leaves[n] = candidate;
                    }
                }
                if self.take(inputs, other) {
                    break;
                }
            }
        }
    }

    fn one_by_one(&mut self, inputs: &mut Inputs) {
        for n in 0..inputs.leaves.len() {
            if self.is_over() {
                return;
            }
            let info = self.leaf(n).clone();
            let is_text = self.is_text(&info);
            for candidate in
                if is_text { plainer(&info, inputs.leaves[n]) } else { simpler(&info, inputs.leaves[n]) }
            {
                let mut other = inputs.clone();
                other.leaves[n] = candidate;
                if self.take(inputs, other) {
                    break;
                }
            }
        }
    }

    /// What the environment answers: short and small.
    fn sequence(&mut self, inputs: &mut Inputs) {
        if !inputs.sequence.is_empty()
            && let Some(requests) = (self.try_out)(inputs)
        {
            self.take_answers(&requests);
            self.forget_last(inputs);
        }
        self.fewer_deeds(inputs);
        self.earlier_end(inputs);
        self.fewer_bytes(inputs);
        let mut n = 0;
        while n < inputs.sequence.len() && !self.is_over() {
            let old = inputs.sequence[n];
            let candidates = match self.floats.get(n) {
                Some(Some(w)) => floats::simpler(*w, old),
                _ => simpler_answers(self.kinds.get(n).copied(), old),
            };
            for candidate in candidates {
                let mut other = inputs.clone();
                other.sequence[n] = candidate;
                if self.take(inputs, other) {
                    break;
                }
            }
            n += 1;
        }
    }

    /// Nothing more is said after a few answers.
    fn earlier_end(&mut self, inputs: &mut Inputs) {
        let ends = std::iter::once(0).chain((0..).map(|n| 1 << n));
        let count = inputs.sequence.len();
        for end in ends.take_while(|&end| end < count) {
            let mut other = inputs.clone();
            other.sequence.truncate(end);
            if self.take(inputs, other) {
                return;
            }
        }
    }

    /// What is read without some of its bytes and numbers.
    fn fewer_bytes(&mut self, inputs: &mut Inputs) {
        let mut n = 0;
        while n < inputs.sequence.len().min(MOST_TO_LEAVE_OUT) && !self.is_over() {
            let count = match self.kinds.get(n) {
                Some(InputKind::Byte) => 1,
                // What comes, and the number that came.
                Some(InputKind::End) => 2,
                _ => 0,
            };
            let before = inputs.sequence.len();
            let mut other = inputs.clone();
            other.sequence.drain(n..(n + count).min(before));
            // The last answers come back by themselves.
            let is_shorter = count > 0 && self.take(inputs, other) && inputs.sequence.len() < before;
            n += usize::from(!is_shorter);
        }
    }

    /// Forgets the last answers, as far as they go without saying.
    fn forget_last(&self, inputs: &mut Inputs) {
        while let Some(n) = inputs.sequence.len().checked_sub(1) {
            if self.kinds.get(n).is_some_and(|kind| kind.nothing_more() != inputs.sequence[n]) {
                return;
            }
            inputs.sequence.pop();
        }
    }

    /// Volatile objects that do not change: first those that are as the program left them, then those with one value.
    /// Ordinary memory can stand in for them.
    fn steady(&mut self, inputs: &mut Inputs) {
        let places = |shrinker: &Self| -> Vec<u64> {
            let mut places: Vec<u64> = shrinker.read.iter().flatten().map(|held| held.address).collect();
            places.sort_unstable();
            places.dedup();
            places
        };
        for n in 0..inputs.sequence.len() {
            if let Some(Held { bits: Some(bits), .. }) = self.read.get(n).copied().flatten() {
                let mut other = inputs.clone();
                other.sequence[n] = bits;
                self.take(inputs, other);
            }
        }
        for place in places(self) {
            let read: Vec<Option<Held>> = self.read.clone();
            let is_there =
                |n: &usize| read.get(*n).copied().flatten().is_some_and(|held| held.address == place);
            let reads: Vec<usize> = (0..inputs.sequence.len().max(read.len())).filter(is_there).collect();
            let mut values: Vec<u64> =
                reads.iter().map(|&n| inputs.sequence.get(n).copied().unwrap_or(0)).collect();
            values.reverse();
            values.dedup();
            for value in values.into_iter().take(MOST_STEADY) {
                let mut other = inputs.clone();
                other.sequence.resize(inputs.sequence.len().max(read.len()), 0);
                reads.iter().for_each(|&n| other.sequence[n] = value);
                if self.take(inputs, other) {
                    break;
                }
            }
        }
    }

    fn leaf(&self, n: usize) -> &LeafInfo {
        use quipu_base::Id;
        &self.interface.leaves[quipu_inputs::Leaf::new(n)]
    }

    fn is_number(&self, n: usize) -> bool {
        self.leaf(n).targets.is_none()
    }

    /// Whether it is a character of a string.
    fn is_text(&self, info: &LeafInfo) -> bool {
        info.targets.is_none()
            && info.object().is_some_and(|object| self.interface.objects[object].extent == Extent::Terminated)
    }
}

/// Answers that are simpler than one, the simplest first: that is the end of the input.
fn simpler_answers(kind: Option<InputKind>, old: u64) -> Vec<u64> {
    let candidates: &[u64] = match kind {
        Some(kind @ InputKind::Byte) => {
            &[kind.nothing_more(), 'a' as u64, '0' as u64, ' ' as u64, '\n' as u64, 0]
        }
        Some(InputKind::End) => &[END_AHEAD, 0],
        _ => &[0, 1, 2, 3, 5, 10, 100],
    };
    candidates.iter().copied().take_while(|&candidate| candidate != old).collect()
}

/// The answers that say that a function that nobody defines does something, each with the number of those that tell what.
fn deeds(requests: &[Request]) -> Vec<(usize, usize)> {
    let parts: Vec<_> = requests.iter().map(|request| answered(&request.function)).collect();
    let is_deed = |n: usize| parts[n].is_some_and(|one| one.is_deed());
    let tells = |first: usize, n: usize| match (parts[first], parts[n]) {
        (Some(deed), Some(one)) => one.function == deed.function && !one.is_deed() && !one.part.is_empty(),
        _ => false,
    };
    let done = (0..requests.len()).filter(|&n| is_deed(n) && requests[n].bits != 0);
    done.map(|n| (n, (n + 1..requests.len()).take_while(|&next| tells(n, next)).count())).collect()
}

fn is_superset(items: &BitSet, of: &BitSet) -> bool {
    of.iter().all(|item| items.contains(item))
}

/// Simpler values than one, the simplest first.
fn simpler(info: &LeafInfo, bits: u64) -> Vec<u64> {
    if info.targets.is_some() {
        // A pointer to something is what a person would pass; in there, most pointers do not matter.
        let candidates: &[u64] = if matches!(info.place, Place::Argument(_)) { &[1] } else { &[0, 1] };
        let before = candidates.iter().take_while(|&&choice| choice != bits).copied();
        return before.filter(|&choice| info.allows(choice)).collect();
    }
    if let Ty::Float(w) = info.ty {
        let candidates = floats::simpler(w, bits).into_iter();
        return candidates.filter(|&candidate| info.allows(candidate)).collect();
    }
    let width = info.width();
    let number = |bits: u64| if info.signed { i128::from(width.signed(bits)) } else { i128::from(bits) };
    let value = number(bits);
    let mut candidates: Vec<i128> = (0..=10).flat_map(|n| [n, -n]).collect();
    // In an unsigned type, -1 is not a simple number.
    let is_odd = |candidate: &i128| *candidate < 0 && !info.signed;
    let mut round = 10;
    while round <= value.abs() {
        candidates.extend([round, -round, 2 * round, -2 * round, 5 * round, -5 * round]);
        round *= 10;
    }
    let (mut digits, mut place) = (value, 1);
    while digits.abs() >= 10 {
        digits /= 10;
        place *= 10;
        candidates.push(digits * place);
    }
    candidates.retain(|candidate| complexity(*candidate) < complexity(value) && !is_odd(candidate));
    candidates.sort_by_key(|candidate| complexity(*candidate));
    candidates.dedup();
    candidates.into_iter().map(|value| width.wrap(value as u64)).filter(|&bits| info.allows(bits)).collect()
}

/// Simpler characters than one: the end of the string, then those that a person would type.
fn plainer(info: &LeafInfo, byte: u64) -> Vec<u64> {
    let candidates = [0].into_iter().chain(b"ab01 AxZ-.,".iter().map(|&letter| u64::from(letter)));
    candidates.take_while(|&candidate| candidate != byte).filter(|&letter| info.allows(letter)).collect()
}

/// How hard a number is on a reader: its significant digits, then its size, then its sign.
fn complexity(value: i128) -> (u32, u128, bool) {
    let size = value.unsigned_abs();
    if size <= 10 {
        return (0, size, value < 0);
    }
    let mut digits = size;
    while digits.is_multiple_of(10) {
        digits /= 10;
    }
    (digits.ilog10() + 1, size, value < 0)
}

/// How hard inputs are on a reader, to choose between tests.
pub(crate) fn cost(interface: &Interface, inputs: &Inputs) -> u64 {
    let leaf = |(info, &bits): (&LeafInfo, &u64)| -> u64 {
        if info.targets.is_some() || bits == 0 {
            return 0;
        }
        let width = info.width();
        if let Some(w) = info.float_width() {
            return 1 + u64::from(Complexity::of(w, bits).weight());
        }
        let value = if info.signed { i128::from(width.signed(bits)) } else { i128::from(bits) };
        1 + u64::from(complexity(value).0)
    };
    let leaves: u64 = interface.leaves.iter().zip(&inputs.leaves).map(leaf).sum();
    leaves + inputs.sequence.len() as u64
}
