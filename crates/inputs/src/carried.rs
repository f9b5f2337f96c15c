//! Inputs carried over from one interface of a function to another one with larger shapes.
//!
//! Names of parts depend on shapes (`*p`, `p[0]`), places do not: a part is where the same pointer leads, at the same
//! offset.

use quipu_base::Id;
use rustc_hash::FxHashMap;

use crate::interface::{Interface, Place};
use crate::runner::Inputs;
use crate::target::Target;
use crate::{Leaf, Object};

impl Inputs {
    /// The same inputs in another interface of the same function; none if it has no place for them. What is new there
    /// is zero.
    pub fn carried(&self, from: &Interface, to: &Interface) -> Option<Inputs> {
        let mut known = Known { from, to, objects: FxHashMap::default() };
        known.pair_globals();
        let mut carried =
            Inputs { sequence: self.sequence.clone(), unwritten: self.unwritten, ..Inputs::zero(to) };
        for (leaf, info) in from.leaves.entries() {
            let value = self.leaves[leaf.index()];
            let Some(twin) = known.twin(leaf) else {
                if value == 0 {
                    continue;
                }
                return None;
            };
            known.pair_own(leaf, twin);
            let value = match &info.targets {
                Some(targets) => known.choice(twin, targets.get(value))?,
                None => value,
            };
            if !to.leaves[twin].allows(value) {
                return None;
            }
            carried.leaves[twin.index()] = value;
        }
        Some(carried)
    }
}

/// Which objects are the same.
struct Known<'i> {
    from: &'i Interface,
    to: &'i Interface,
    objects: FxHashMap<Object, Object>,
}

impl Known<'_> {
    /// What exists whatever pointers point to has the same name in both.
    fn pair_globals(&mut self) {
        let names: FxHashMap<&str, Object> =
            self.to.objects.entries().map(|(object, shape)| (shape.name.as_str(), object)).collect();
        for (object, shape) in self.from.objects.entries() {
            let is_own = shape.name.starts_with('*');
            if let Some(&twin) = names.get(shape.name.as_str()).filter(|_| !is_own) {
                self.objects.insert(object, twin);
            }
        }
    }

    /// The leaf at the same place.
    fn twin(&self, leaf: Leaf) -> Option<Leaf> {
        let meant = match self.from.leaves[leaf].place {
            Place::Memory { object, offset, bits, patch } => {
                Place::Memory { object: *self.objects.get(&object)?, offset, bits, patch }
            }
            Place::Index(object) => Place::Index(*self.objects.get(&object)?),
            argument => argument,
        };
        self.to.leaves.entries().find(|(_, info)| info.place == meant).map(|(twin, _)| twin)
    }

    /// The objects that were made for two pointers are the same.
    fn pair_own(&mut self, leaf: Leaf, twin: Leaf) {
        if let (Some(own), Some(other)) = (own(self.from, leaf), own(self.to, twin)) {
            self.objects.insert(own, other);
        }
    }

    /// The value of a pointer that has this target.
    fn choice(&self, leaf: Leaf, target: Option<Target>) -> Option<u64> {
        let Some(target) = target else { return Some(0) };
        let meant = match target {
            Target::Object(object, offset) => Target::Object(*self.objects.get(&object)?, offset),
            other => other,
        };
        self.to.leaves[leaf].targets.as_ref()?.value_of(meant)
    }
}

/// The object that was made for a pointer.
fn own(interface: &Interface, leaf: Leaf) -> Option<Object> {
    let info = &interface.leaves[leaf];
    let mut objects = info.targets.as_ref()?.objects();
    objects.find(|&object| interface.objects[object].name.strip_prefix('*') == Some(&info.name))
}
