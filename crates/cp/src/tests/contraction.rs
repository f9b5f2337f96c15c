//! Every definition alone: exhaustive over arcs at widths 1 to 3, sampled over arcs with bits, random above.

use quipu_domain::Domain;
use quipu_modelkit::Random;
use quipu_num::Width;

use super::random_facts::{all_domains, arc_domains, around, member, part, set};
use super::subject::{Subject, Tuple, is_fixpoint, subjects};
use crate::atom::Atom;
use crate::engine::{Engine, Fixpoint};
use crate::store::Reason;

/// Exhaustive up to this many combinations of domains (57 arcs of width 3 for each of three terms), sampled beyond.
const MOST_COMBINATIONS: usize = 57 * 57 * 57;
const SAMPLES: usize = 3_000;

/// How often parts of a refuted domain were refuted too.
#[derive(Default)]
struct Refutations {
    cases: u64,
    refuted: u64,
    parts: u64,
    missed: u64,
}

/// A subject with its engine.
struct Bench<'s> {
    subject: &'s Subject,
    engine: Engine<'static>,
}

impl<'s> Bench<'s> {
    fn new(subject: &'s Subject) -> Bench<'s> {
        Bench { subject, engine: subject.engine() }
    }

    /// What propagation leaves of the given domains. Nothing of it stays.
    fn contract(&mut self, given: &[Domain]) -> Option<Vec<Domain>> {
        if self.subject.terms.iter().zip(given).all(|(&term, &given)| self.engine.store.root(term) == given) {
            // Nothing will be narrowed: only a new engine looks at its definition unasked.
            self.engine = self.subject.engine();
        }
        let Bench { subject, engine } = self;
        let roots: Vec<Domain> = subject.terms.iter().map(|&term| engine.store.domain(term)).collect();
        engine.store.open_level(Atom::truth(subject.node(), true));
        for (&term, &domain) in subject.terms.iter().zip(given) {
            engine.narrow(term, domain, Reason::Decision);
        }
        let left = match engine.propagate(false) {
            Fixpoint::Reached => {
                assert!(is_fixpoint(engine, subject.node()), "{} of {given:?}: no fixpoint", subject.name);
                Some(subject.terms.iter().map(|&term| engine.store.domain(term)).collect::<Vec<_>>())
            }
            Fixpoint::Conflict(_) => None,
            other => panic!("{} of {given:?}: {other:?}", subject.name),
        };
        engine.backtrack(0);
        for (&term, &root) in subject.terms.iter().zip(&roots) {
            assert_eq!(engine.store.domain(term), root, "{} of {given:?}: not restored", subject.name);
        }
        left
    }

    /// Nothing is added, and fixed operands are decided.
    fn check_result(&self, given: &[Domain], left: &[Domain]) {
        let name = &self.subject.name;
        for (n, (&given_n, &left_n)) in given.iter().zip(left).enumerate() {
            let within = left_n.is_subset(self.subject.width(n), given_n);
            assert!(within, "{name} of {given:?}: {left:?} is no part at {n}");
        }
        let (result, operands) = left.split_last().expect("a subject has a node");
        if operands.iter().all(|operand| operand.is_singleton().is_some()) {
            let values: Vec<u64> = operands.iter().filter_map(|operand| operand.is_singleton()).collect();
            let decided = self.subject.tuple(values).last().copied();
            assert_eq!(result.is_singleton(), decided, "{name} of {given:?}: fixed operands are undecided");
        }
    }

    /// The table says what may not be lost.
    fn check_by_table(&mut self, tuples: &[Tuple], given: &[(Domain, u64)], refutations: &mut Refutations) {
        let domains: Vec<Domain> = given.iter().map(|given| given.0).collect();
        let mut wanted = vec![0u64; given.len()];
        for tuple in tuples {
            if tuple.iter().zip(given).all(|(&value, given)| given.1 >> value & 1 == 1) {
                wanted.iter_mut().zip(tuple).for_each(|(wanted, &value)| *wanted |= 1 << value);
            }
        }
        let name = &self.subject.name;
        let Some(left) = self.contract(&domains) else {
            assert_eq!(wanted[0], 0, "{name} of {domains:?}: a solution is denied");
            return refutations.try_parts(self, &domains);
        };
        self.check_result(&domains, &left);
        for (n, (&wanted, &left_n)) in wanted.iter().zip(&left).enumerate() {
            let lost = wanted & !set(self.subject.width(n), left_n);
            assert_eq!(lost, 0, "{name} of {domains:?}: values are lost at {n}: {left:?}");
        }
    }
}

impl Refutations {
    /// A part of what was refuted has no solution: is that seen?
    fn try_parts(&mut self, bench: &mut Bench<'_>, refuted: &[Domain]) {
        self.refuted += 1;
        if !self.refuted.is_multiple_of(8) {
            return;
        }
        let seed = refuted.iter().fold(1, |seed: u64, domain| {
            seed.wrapping_mul(0x100_0003).wrapping_add(domain.lo() << 8 ^ domain.hi())
        });
        let mut random = Random::new(seed);
        let parts: Vec<Domain> = refuted
            .iter()
            .enumerate()
            .map(|(n, &domain)| part(&mut random, bench.subject.width(n), domain))
            .collect();
        self.parts += 1;
        if let Some(left) = bench.contract(&parts) {
            self.missed += 1;
            let fixed = left.iter().all(|domain| domain.is_singleton().is_some());
            assert!(!fixed, "{}: {parts:?} of {refuted:?} has no solution", bench.subject.name);
        }
    }
}

impl Refutations {
    fn report(&self, bits: u32) {
        let Refutations { cases, refuted, parts, missed } = self;
        println!("width {bits}: {cases} cases, {refuted} refuted; {missed} of {parts} parts not refuted");
        assert!(missed * 100 <= *parts, "parts of refuted domains should be refuted");
    }
}

fn check_tables(w: Width, domains_of: impl Fn(Width) -> Vec<Domain>, most: usize) -> Refutations {
    let mut refutations = Refutations::default();
    for subject in subjects(w, 12).iter().filter(|subject| {
        // Sets of values are masks of 64 bits.
        (0..subject.terms.len()).all(|n| subject.width(n).bits() <= 6)
    }) {
        let tuples = subject.tuples();
        let lists: Vec<Vec<(Domain, u64)>> = (0..subject.terms.len())
            .map(|n| {
                let w = subject.width(n);
                domains_of(w).into_iter().map(|domain| (domain, set(w, domain))).collect()
            })
            .collect();
        let mut bench = Bench::new(subject);
        let combinations = lists.iter().map(Vec::len).fold(1usize, usize::saturating_mul);
        let mut random = Random::new(combinations as u64);
        for number in 0..(if combinations > most { SAMPLES.min(most) } else { combinations }) {
            let mut rest = number;
            let given: Vec<(Domain, u64)> = lists
                .iter()
                .map(|list| {
                    if combinations > most {
                        return random.pick(list);
                    }
                    let item = list[rest % list.len()];
                    rest /= list.len();
                    item
                })
                .collect();
            refutations.cases += 1;
            bench.check_by_table(&tuples, &given, &mut refutations);
        }
    }
    refutations
}

#[test]
fn arcs_of_small_widths() {
    for bits in 1..=3 {
        let w = Width::new(bits).expect("a width of 1 to 64");
        let refutations = check_tables(w, arc_domains, MOST_COMBINATIONS);
        refutations.report(bits);
    }
}

#[test]
fn arcs_with_bits_of_small_widths() {
    for bits in 1..=4 {
        let w = Width::new(bits).expect("a width of 1 to 64");
        let domains: Vec<Vec<Domain>> = (1..=4).filter_map(Width::new).map(all_domains).collect();
        let domains_of = |w: Width| match domains.get(w.bits() as usize - 1) {
            Some(domains) => domains.clone(),
            None => arc_domains(w),
        };
        let refutations = check_tables(w, domains_of, 4_000);
        refutations.report(bits);
    }
}

/// A solution within random domains survives, at every width.
#[test]
fn sampled_solutions_of_all_widths() {
    let mut random = Random::new(5);
    for bits in 4..=64 {
        let w = Width::new(bits).expect("a width of 1 to 64");
        for subject in &subjects(w, u32::MAX) {
            let mut bench = Bench::new(subject);
            for _ in 0..(if bits <= 8 { 150 } else { 25 }) {
                let values = (0..subject.terms.len() - 1).map(|n| random.value(subject.width(n))).collect();
                let tuple = subject.tuple(values);
                let mut given = Vec::new();
                for (n, &value) in tuple.iter().enumerate() {
                    given.push(around(&mut random, subject.width(n), value));
                }
                bench.check_solution(&given, &tuple);
                bench.check_without_solution(&mut random, &given);
            }
        }
    }
}

impl Bench<'_> {
    fn check_solution(&mut self, given: &[Domain], tuple: &Tuple) {
        let name = &self.subject.name;
        let Some(left) = self.contract(given) else { panic!("{name} of {given:?}: {tuple:?} is denied") };
        self.check_result(given, &left);
        for (n, (&value, &left_n)) in tuple.iter().zip(&left).enumerate() {
            let kept = left_n.contains(self.subject.width(n), value);
            assert!(kept, "{name} of {given:?}: {tuple:?} is lost at {n}: {left:?}");
        }
    }

    /// Fixed operands and another result than theirs.
    fn check_without_solution(&mut self, random: &mut Random, given: &[Domain]) {
        let values: Vec<u64> = given
            .iter()
            .enumerate()
            .map(|(n, &domain)| member(random, self.subject.width(n), domain))
            .collect();
        let wrong = values != self.subject.tuple(values[..values.len() - 1].to_vec());
        let fixed: Vec<Domain> = values
            .iter()
            .enumerate()
            .map(|(n, &value)| Domain::singleton(self.subject.width(n), value))
            .collect();
        assert_eq!(self.contract(&fixed).is_none(), wrong, "{} of {values:?}", self.subject.name);
    }
}
