//! Sets of places that a pointer may point to.

use std::collections::BTreeMap;

use super::object::Object;
use super::offset::Offset;

/// What a pointer may point to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TargetSet {
    null: bool,
    unknown: bool,
    places: BTreeMap<Object, Offsets>,
}

/// Offsets within one object.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Offsets {
    /// A few, in increasing order.
    Few(Vec<i64>),
    Class(Offset),
}

/// More single offsets within one object become a class.
const MOST_OFFSETS: usize = 8;

impl TargetSet {
    /// Nothing: no run comes here with a pointer.
    pub fn nothing() -> TargetSet {
        TargetSet::default()
    }

    /// The null pointer.
    pub fn null() -> TargetSet {
        TargetSet { null: true, ..TargetSet::default() }
    }

    /// A pointer about which nothing is known: it may be null or stale, or point to a function, or anywhere into an
    /// object that exists before the call or whose address was exposed.
    pub fn unknown() -> TargetSet {
        TargetSet { null: true, unknown: true, ..TargetSet::default() }
    }

    /// One place, or the places of a class.
    pub fn place(object: Object, offset: Offset) -> TargetSet {
        let mut set = TargetSet::default();
        set.add(object, offset);
        set
    }

    /// The set, and null.
    pub fn or_null(mut self) -> TargetSet {
        self.null = true;
        self
    }

    /// Whether the pointer may be null.
    pub fn may_be_null(&self) -> bool {
        self.null
    }

    /// Whether the pointer may point to any object that exists before the call or whose address was exposed.
    pub fn may_be_unknown(&self) -> bool {
        self.unknown
    }

    /// Whether there is no target at all.
    pub fn is_empty(&self) -> bool {
        !self.null && !self.unknown && self.places.is_empty()
    }

    /// The places, in order.
    pub fn places(&self) -> impl Iterator<Item = (Object, Offset)> + '_ {
        self.places.iter().flat_map(|(&object, offsets)| {
            let (few, class): (&[i64], _) = match offsets {
                Offsets::Few(few) => (few, None),
                Offsets::Class(class) => (&[], Some(*class)),
            };
            few.iter().map(|&at| Offset::exact(at)).chain(class).map(move |offset| (object, offset))
        })
    }

    /// The objects, in order.
    pub fn objects(&self) -> impl Iterator<Item = Object> + '_ {
        self.places.keys().copied()
    }

    /// The only place, if there is neither another one nor null.
    pub fn only_place(&self) -> Option<(Object, Offset)> {
        let mut places = self.places().filter(|_| !self.null && !self.unknown);
        places.next().filter(|_| places.next().is_none())
    }

    /// Whether the set has this place.
    pub fn has(&self, object: Object, at: i64) -> bool {
        self.places().any(|(own, offset)| own == object && offset.contains(at))
    }

    /// Adds all targets of another set; whether any is new.
    pub fn add_all(&mut self, other: &TargetSet) -> bool {
        let mut changed = (other.null && !self.null) || (other.unknown && !self.unknown);
        self.null |= other.null;
        self.unknown |= other.unknown;
        for (object, offset) in other.places() {
            changed |= self.add(object, offset);
        }
        changed
    }

    /// Adds a place or a class of places; whether it is new.
    pub fn add(&mut self, object: Object, offset: Offset) -> bool {
        let Some(old) = self.places.get_mut(&object) else {
            let offsets = offset.as_exact().map_or(Offsets::Class(offset), |at| Offsets::Few(vec![at]));
            self.places.insert(object, offsets);
            return true;
        };
        match (&mut *old, offset.as_exact()) {
            (Offsets::Few(few), Some(at)) => match few.binary_search(&at) {
                Ok(_) => false,
                Err(n) => {
                    few.insert(n, at);
                    if few.len() > MOST_OFFSETS {
                        *old = Offsets::Class(joined(few, offset));
                    }
                    true
                }
            },
            (Offsets::Few(few), None) => {
                *old = Offsets::Class(joined(few, offset));
                true
            }
            (Offsets::Class(class), _) => {
                let wider = class.join(offset);
                let changed = wider != *class;
                *class = wider;
                changed
            }
        }
    }

    /// The set without some objects, if it covers them because it is unknown.
    pub fn simplified(mut self, covered: impl Fn(Object) -> bool) -> TargetSet {
        if self.unknown {
            self.places.retain(|&object, _| !covered(object));
        }
        self
    }

    /// The set with each place moved.
    pub fn moved(&self, by: Offset) -> TargetSet {
        let mut moved = TargetSet { null: self.null, unknown: self.unknown, places: BTreeMap::new() };
        for (object, offset) in self.places() {
            moved.add(object, offset.plus(by));
        }
        moved
    }

    /// The set with objects replaced by [`Object::Ended`].
    pub fn with_ended(&self, ended: impl Fn(Object) -> bool) -> TargetSet {
        let mut kept = TargetSet { null: self.null, unknown: self.unknown, places: BTreeMap::new() };
        for (object, offset) in self.places() {
            match ended(object) {
                true => kept.add(Object::Ended, Offset::ANY),
                false => kept.add(object, offset),
            };
        }
        kept
    }
}

fn joined(few: &[i64], offset: Offset) -> Offset {
    few.iter().fold(offset, |class, &at| class.join(Offset::exact(at)))
}
