//! Inputs on which the code relies: pointers that it follows and never asks whether they are null, numbers by which it
//! divides or indexes and never compares.
//!
//! A function whose callers are not known would be wrong at each such place for a caller that passes null. That is no
//! mistake of the function but its precondition, and is told once.

use crate::Leaf;
use crate::assumption::{Assumption, AssumptionId, Reliance};
use crate::build::Builder;
use crate::interface::{Extent, LeafInfo};
use crate::numbers::Needed;
use crate::path::Path;
use crate::pointee::{Pointee, Targets};
use quipu_num::Width;

/// What is relied on about a pointer.
pub(crate) enum Relied {
    /// That it is not null.
    NotNull { name: String },
    /// That it points to all that is used behind it: this predicate says so.
    Valid { name: String, clause: String },
}

impl Builder<'_> {
    /// Whether the code follows a pointer without ever testing it, and that is its precondition.
    pub fn is_relied_on(&self, path: &Path) -> bool {
        self.shapes.rely && self.usage.followed_untested(path).is_some()
    }

    /// What the code relies on about a pointer that may point to these targets, or may be null.
    pub fn reliance(&self, pointee: &Pointee<'_>, targets: &Targets) -> Option<Relied> {
        let path = pointee.pointer.path.as_ref()?;
        let name = pointee.name.clone();
        let can_be_null = targets.null && !targets.stated && !targets.made.is_empty();
        // One of many elements has no name of its own in a contract.
        if !can_be_null || name.contains('[') || !self.is_relied_on(path) {
            return None;
        }
        Some(match self.valid(pointee, targets, path) {
            Some(clause) => Relied::Valid { name, clause },
            None => Relied::NotNull { name },
        })
    }

    /// The predicate that says what is assumed about the object of a pointer, if that is no more than the code needs.
    fn valid(&self, pointee: &Pointee<'_>, targets: &Targets, path: &Path) -> Option<String> {
        let [own] = targets.own[..] else { return None };
        // Behind a pointer to `void`, no predicate counts elements.
        if !self.same(self.interface.objects[own].element, pointee.to) {
            return None;
        }
        let object = &self.interface.objects[own];
        let name = &pointee.name;
        let is_one = object.count == 1 && self.is_record(pointee.to);
        let last = match &object.extent {
            Extent::Whole if is_one || !self.usage.is_placed(path, self.room(pointee)) => {
                (object.count - 1).to_string()
            }
            Extent::Counted { factor: 1, inputs } => match inputs[..] {
                [length] => format!("{} - 1", self.interface.leaves[length].name),
                _ => return None,
            },
            Extent::Whole | Extent::Counted { .. } | Extent::Terminated | Extent::Listed { .. } => {
                return None;
            }
        };
        Some(match last.as_str() {
            "0" => format!("\\valid({name})"),
            _ => format!("\\valid({name} + (0 .. {last}))"),
        })
    }

    /// Takes for granted what the code relies on about numbers.
    pub fn rely_on_numbers(&mut self) {
        if !self.shapes.rely {
            return;
        }
        let needed: Vec<(Leaf, Needed)> = self
            .usage
            .needed()
            .filter_map(|(path, needed)| self.leaves.get(path).map(|&leaf| (leaf, needed)))
            .collect();
        for (leaf, needed) in needed {
            let info = &self.interface.leaves[leaf];
            let is_free = info.range.is_none() && !self.interface.rests_on.limits.contains_key(&leaf);
            // One of many elements has no name of its own in a contract; what lengths are is told with their arrays.
            if !is_free || info.name.contains('[') || info.float_width().is_some() {
                continue;
            }
            let Some((range, condition, clause)) = bounded(info, needed) else { continue };
            let words = format!("`{condition}`");
            let id = self.interface.assume(Assumption::Relied(Reliance {
                words,
                condition,
                clause,
                is_pointer: false,
            }));
            self.interface.leaves[leaf].range = Some(range);
            self.interface.rests_on.limits.insert(leaf, (id, None));
        }
    }

    /// Takes for granted what is relied on. If that is all there is to say about what the pointer points to, `words`
    /// tell it, and the assumption is returned.
    pub fn rely(&mut self, leaf: Leaf, relied: Relied, words: &str) -> Option<AssumptionId> {
        let (name, words, clause, is_all) = match relied {
            Relied::NotNull { name } => {
                let (words, clause) = (format!("`{name}` is not null"), format!("{name} != \\null"));
                (name, words, clause, false)
            }
            Relied::Valid { name, clause } => {
                let words = format!("`{name}` {words}");
                (name, words, clause, true)
            }
        };
        let condition = format!("{name} != NULL");
        let reliance = Reliance { words, condition, clause, is_pointer: true };
        let id = self.interface.assume(Assumption::Relied(reliance));
        let most = self.interface.leaves[leaf].limits().1;
        self.interface.rests_on.limits.insert(leaf, (id, Some((0, most))));
        is_all.then_some(id)
    }
}

/// The values of a number that are needed, as an arc from the first to the last, as C, and as a predicate. None if all
/// of its values will do.
fn bounded(info: &LeafInfo, needed: Needed) -> Option<((u64, u64), String, String)> {
    let (name, w) = (&info.name, info.width());
    let least = u64::from(needed.nonzero);
    let most = if info.signed { w.max_signed() } else { w.mask() };
    match needed.below {
        Some(below) if below <= least => None,
        Some(below) if below > most => needed.nonzero.then(|| nonzero(name, w)),
        Some(below) => {
            let last = below - 1;
            let both =
                (format!("{name} >= {least} && {name} <= {last}"), format!("{least} <= {name} <= {last}"));
            let upper = (format!("{name} <= {last}"), format!("{name} <= {last}"));
            let (condition, clause) = if info.signed || needed.nonzero { both } else { upper };
            Some(((least, last), condition, clause))
        }
        None => Some(nonzero(name, w)),
    }
}

fn nonzero(name: &str, w: Width) -> ((u64, u64), String, String) {
    let text = format!("{name} != 0");
    ((1, w.mask()), text.clone(), text)
}
