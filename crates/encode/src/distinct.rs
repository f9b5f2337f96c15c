//! Whether pointers to different objects are equal.
//!
//! They are not, as long as both point into their objects and these exist. A pointer just behind an object may be equal
//! to one to the start of another (6.5.9p6), another object may be where one was, and literals with the same content may
//! be one object (6.4.5p7, 6.5.2.5p7). Then the compiler decides, so that nobody knows.

use quipu_ir::{GlobalData, Init};
use quipu_model::Term;
use quipu_num::{IntCmp, Width};

use crate::encoder::Engine;
use crate::memory::ObjectId;
use crate::pointer::{self, Base, Case, Pointer};

/// What is made up.
const WHAT: &str = "whether pointers to different objects are equal";

impl Engine<'_> {
    /// Whether two pointers are equal.
    pub fn are_equal(&mut self, a: &Pointer, b: &Pointer) -> Term {
        let mut ways = vec![pointer::equal(&mut self.terms, a, b)];
        for x in &a.cases {
            for y in b.cases.iter().filter(|y| y.base != x.base) {
                let both = self.terms.both(x.when, y.when);
                let may = self.may_coincide(x, y);
                let doubt = self.terms.both(both, may);
                if !self.terms.is_false(doubt) {
                    let coincide = self.coincide(x, y, doubt);
                    ways.push(self.terms.both(doubt, coincide));
                }
            }
        }
        self.terms.any(&ways)
    }

    /// Whether two places have the same address, where nobody knows: the same answer whenever that is asked.
    fn coincide(&mut self, x: &Case, y: &Case, doubt: Term) -> Term {
        let mut key = [(x.base, x.offset), (y.base, y.offset)];
        key.sort();
        match self.coincidences.get(&key) {
            Some(&known) => {
                self.terms.doubt(doubt, WHAT);
                known
            }
            None => {
                let unknown = self.terms.unknown_where(Width::W1, doubt, WHAT);
                self.coincidences.insert(key, unknown);
                unknown
            }
        }
    }

    /// Whether pointers with different bases may have the same address.
    fn may_coincide(&mut self, x: &Case, y: &Case) -> Term {
        let (Base::Object(first), Base::Object(second)) = (x.base, y.base) else {
            return self.terms.truth(false);
        };
        if self.may_share(first, x.offset, second, y.offset) {
            return self.terms.truth(true);
        }
        let overlap = self.may_overlap(first, second);
        let [x, y] = [(first, x.offset), (second, y.offset)].map(|(object, offset)| {
            let extent = self.extent(object);
            let inside = self.terms.compare(IntCmp::Ult, offset, extent);
            let inside = match self.state.memory.get(object) {
                Some(content) => self.terms.both(inside, content.alive),
                None if self.objects[object].kind.is_local() => self.terms.truth(false),
                None => inside,
            };
            self.terms.not(inside)
        });
        self.terms.any(&[x, y, overlap])
    }

    /// Whether two objects are literals that may be one, with these places in the same byte.
    fn may_share(&self, first: ObjectId, x: Term, second: ObjectId, y: Term) -> bool {
        let (Some(first), Some(second)) = (self.literal(first), self.literal(second)) else { return false };
        match (self.terms.known(x), self.terms.known(y)) {
            (Some(x), Some(y)) => {
                let common = first.size.saturating_sub(x).min(second.size.saturating_sub(y));
                (0..common).all(|n| byte(first, x + n) == byte(second, y + n))
            }
            _ => true,
        }
    }

    /// The literal that an object is.
    fn literal(&self, object: ObjectId) -> Option<&GlobalData> {
        let (&global, _) = self.globals.iter().find(|(_, known)| **known == object)?;
        let data = &self.module.globals[global];
        (data.source_name.is_none() && data.constant).then_some(data)
    }
}

fn byte(data: &GlobalData, at: u64) -> u8 {
    match &data.init {
        Init::Data { bytes, .. } => {
            usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0)
        }
        Init::External | Init::Device { .. } => 0,
    }
}
