//! Pointers: which object under which condition, and how far behind its start.

use quipu_ir::Func;
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp, Width};
use rustc_hash::FxHashMap;

use crate::memory::ObjectId;
use crate::terms::Terms;

/// A pointer. The conditions of its cases exclude each other, and one of them is true.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pointer {
    pub cases: Vec<Case>,
}

/// One thing that a pointer may point to; each base occurs once.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Case {
    pub when: Term,
    pub base: Base,
    /// In bytes, of the width of an address.
    pub offset: Term,
}

/// What a pointer points to or behind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Base {
    /// No object: the offset is the address.
    Null,
    Object(ObjectId),
    Function(Func),
    /// Nobody knows what is there: the offset is the address.
    Unknown,
}

impl Pointer {
    pub fn to(terms: &mut Terms<'_>, base: Base, offset: Term) -> Pointer {
        Pointer { cases: vec![Case { when: terms.truth(true), base, offset }] }
    }

    pub fn start_of(terms: &mut Terms<'_>, base: Base, address: Width) -> Pointer {
        let offset = terms.constant(address, 0);
        Pointer::to(terms, base, offset)
    }

    pub fn null(terms: &mut Terms<'_>, address: Width) -> Pointer {
        Pointer::start_of(terms, Base::Null, address)
    }

    /// The pointer moved by a number of bytes.
    pub fn moved(&self, terms: &mut Terms<'_>, delta: Term) -> Pointer {
        let cases =
            self.cases.iter().map(|case| Case { offset: terms.add(case.offset, delta), ..case.clone() });
        Pointer { cases: cases.collect() }
    }

    /// Whether the pointer may point to something that nobody knows.
    pub fn may_be_unknown(&self) -> bool {
        self.cases.iter().any(|case| case.base == Base::Unknown)
    }
}

/// The first where the condition is true, else the second.
pub(crate) fn select(terms: &mut Terms<'_>, condition: Term, a: &Pointer, b: &Pointer) -> Pointer {
    let otherwise = terms.not(condition);
    let mut cases: Vec<Case> = Vec::new();
    for case in &a.cases {
        let when = terms.both(condition, case.when);
        if !terms.is_false(when) {
            cases.push(Case { when, ..case.clone() });
        }
    }
    for case in &b.cases {
        let when = terms.both(otherwise, case.when);
        match cases.iter_mut().find(|known| known.base == case.base) {
            _ if terms.is_false(when) => {}
            Some(known) => {
                known.offset = terms.select(condition, known.offset, case.offset);
                known.when = terms.any(&[known.when, when]);
            }
            None => cases.push(Case { when, ..case.clone() }),
        }
    }
    if let [only] = &mut cases[..] {
        only.when = terms.truth(true);
    }
    Pointer { cases }
}

/// The pointer of the first choice that is true; the last one needs no choice. The same as to select one after the other,
/// but with as much work as there are cases, however many pointers there are.
pub(crate) fn choose(terms: &mut Terms<'_>, values: &[&Pointer], choices: &[Term]) -> Pointer {
    let mut bases: Vec<Base> = Vec::new();
    let mut found: FxHashMap<Base, Vec<(Term, Term)>> = FxHashMap::default();
    let mut none_before = terms.truth(true);
    for (n, value) in values.iter().enumerate() {
        let is_last = n + 1 == values.len();
        let chosen = if is_last { none_before } else { terms.both(none_before, choices[n]) };
        for case in &value.cases {
            let when = terms.both(chosen, case.when);
            if !terms.is_false(when) {
                let known = found.entry(case.base).or_default();
                if known.is_empty() {
                    bases.push(case.base);
                }
                known.push((when, case.offset));
            }
        }
        if !is_last {
            let other = terms.not(choices[n]);
            none_before = terms.both(none_before, other);
        }
    }
    let mut cases: Vec<Case> = Vec::new();
    for base in bases {
        let ways = &found[&base];
        let when = terms.any(&ways.iter().map(|(when, _)| *when).collect::<Vec<_>>());
        let (last, others) = ways.split_last().expect("every base was found somewhere");
        let offset =
            others.iter().rev().fold(last.1, |rest, &(when, offset)| terms.select(when, offset, rest));
        cases.push(Case { when, base, offset });
    }
    if let [only] = &mut cases[..] {
        only.when = terms.truth(true);
    }
    Pointer { cases }
}

/// Whether two pointers are the same place in the same object.
pub(crate) fn equal(terms: &mut Terms<'_>, a: &Pointer, b: &Pointer) -> Term {
    by_base(terms, a, b, |terms, _, x, y| terms.equal(x, y))
}

/// Which of two pointers into one object comes first; false for others.
pub(crate) fn compare(terms: &mut Terms<'_>, cmp: IntCmp, a: &Pointer, b: &Pointer) -> Term {
    match cmp {
        IntCmp::Ult | IntCmp::Slt => ordered(terms, [IntCmp::Ult, IntCmp::Slt], a, b),
        IntCmp::Ule | IntCmp::Sle => ordered(terms, [IntCmp::Ule, IntCmp::Sle], a, b),
        IntCmp::Eq | IntCmp::Ne => unreachable!("whether they are equal depends on what they point to"),
    }
}

/// How offsets compare: as addresses without an object, else with a sign. An offset in an object is small compared
/// with an address, but may be negative. Runs that compare pointers into two objects may go on either way.
fn ordered(terms: &mut Terms<'_>, [unsigned, signed]: [IntCmp; 2], a: &Pointer, b: &Pointer) -> Term {
    let ordered = by_base(terms, a, b, |terms, base, x, y| {
        let cmp = if base == Base::Null { unsigned } else { signed };
        terms.compare(cmp, x, y)
    });
    let together = by_base(terms, a, b, |terms, _, _, _| terms.truth(true));
    if terms.is_true(together) {
        return ordered;
    }
    let apart = terms.not(together);
    let either = terms.unknown_where(Width::W1, apart, "how pointers into two objects compare");
    terms.select(together, ordered, either)
}

/// Whether both pointers have the same base, and offsets that are related in some way.
pub(crate) fn by_base(
    terms: &mut Terms<'_>,
    a: &Pointer,
    b: &Pointer,
    mut related: impl FnMut(&mut Terms<'_>, Base, Term, Term) -> Term,
) -> Term {
    let mut ways = Vec::new();
    for x in &a.cases {
        for y in b.cases.iter().filter(|y| y.base == x.base) {
            let related = related(terms, x.base, x.offset, y.offset);
            ways.push(terms.all(&[x.when, y.when, related]));
        }
    }
    terms.any(&ways)
}

/// The bytes from the second pointer to the first, for pointers into one object.
pub(crate) fn difference(terms: &mut Terms<'_>, a: &Pointer, b: &Pointer, address: Width) -> Term {
    let mut difference = terms.constant(address, 0);
    for x in &a.cases {
        for y in b.cases.iter().filter(|y| y.base == x.base) {
            let both = terms.both(x.when, y.when);
            let bytes = terms.op(IntOp::Sub, x.offset, y.offset);
            difference = terms.select(both, bytes, difference);
        }
    }
    difference
}
