//! The memory at a point of the program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::content::Content;
use super::object::Object;
use super::target_set::TargetSet;

/// What the objects hold. An object that is not listed does not exist.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct State {
    contents: BTreeMap<Object, Arc<Content>>,
}

impl State {
    pub fn get(&self, object: Object) -> Option<&Content> {
        self.contents.get(&object).map(Arc::as_ref)
    }

    pub fn get_mut(&mut self, object: Object) -> &mut Content {
        Arc::make_mut(self.contents.entry(object).or_default())
    }

    /// Lists an object, so that writes through pointers of which nothing is known are not lost.
    pub fn create(&mut self, object: Object) {
        self.contents.entry(object).or_default();
    }

    pub fn remove(&mut self, object: Object) {
        self.contents.remove(&object);
    }

    pub fn objects(&self) -> impl Iterator<Item = Object> + '_ {
        self.contents.keys().copied()
    }

    /// Adds what another path leads to; whether anything is new. `size` is that of pointers.
    pub fn join(&mut self, other: &State, size: i64) -> bool {
        let mut changed = false;
        for (&object, content) in &other.contents {
            match self.contents.get_mut(&object) {
                None => {
                    self.contents.insert(object, content.clone());
                    changed = true;
                }
                Some(own) if Arc::ptr_eq(own, content) || own == content => {}
                Some(own) => changed |= Arc::make_mut(own).join(content, size),
            }
        }
        changed
    }

    /// The objects that pointers lead to, starting with some objects; `unknown` are those to which a pointer may
    /// point of which nothing is known.
    pub fn reachable(&self, roots: impl IntoIterator<Item = Object>, unknown: &[Object]) -> BTreeSet<Object> {
        let mut found = BTreeSet::new();
        let mut open: Vec<Object> = roots.into_iter().collect();
        while let Some(object) = open.pop() {
            if !found.insert(object) {
                continue;
            }
            for targets in self.get(object).into_iter().flat_map(Content::targets) {
                open.extend(targets.objects());
                if targets.may_be_unknown() {
                    open.extend(unknown);
                }
            }
        }
        found
    }

    /// The part with some objects, and the rest.
    pub fn split(&self, wanted: impl Fn(Object) -> bool) -> (State, State) {
        let (mut part, mut rest) = (State::default(), State::default());
        for (&object, content) in &self.contents {
            let side = if wanted(object) { &mut part } else { &mut rest };
            side.contents.insert(object, content.clone());
        }
        (part, rest)
    }

    /// The state without some objects; pointers to them point to [`Object::Ended`].
    pub fn without(&self, ended: impl Fn(Object) -> bool) -> State {
        let hit = |targets: &TargetSet| targets.objects().any(&ended);
        let kept = self.contents.iter().filter(|(object, _)| !ended(**object));
        let contents = kept.map(|(&object, content)| match content.targets().any(hit) {
            true => (object, Arc::new(content.with_ended(&ended))),
            false => (object, content.clone()),
        });
        State { contents: contents.collect() }
    }
}
