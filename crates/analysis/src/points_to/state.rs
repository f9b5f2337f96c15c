//! The memory at a point of the program.

use std::sync::Arc;

use super::content::Content;
use super::object::Object;
use super::target_set::TargetSet;

/// What the objects hold, in the order of the objects. One that is not listed does not exist, or never changes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct State {
    contents: Vec<(Object, Arc<Content>)>,
}

impl State {
    pub fn get(&self, object: Object) -> Option<&Content> {
        self.find(object).ok().map(|n| self.contents[n].1.as_ref())
    }

    pub fn get_mut(&mut self, object: Object) -> &mut Content {
        let n = self.create(object);
        Arc::make_mut(&mut self.contents[n].1)
    }

    /// Lists an object, so that writes through pointers of which nothing is known are not lost.
    pub fn create(&mut self, object: Object) -> usize {
        self.find(object).unwrap_or_else(|n| {
            self.contents.insert(n, (object, Arc::default()));
            n
        })
    }

    pub fn remove(&mut self, object: Object) {
        if let Ok(n) = self.find(object) {
            self.contents.remove(n);
        }
    }

    pub fn objects(&self) -> impl Iterator<Item = Object> + '_ {
        self.contents.iter().map(|(object, _)| *object)
    }

    /// Adds what another path leads to; whether anything is new. `size` is that of pointers.
    pub fn join(&mut self, other: &State, size: i64) -> bool {
        let mut changed = false;
        let mut new = Vec::new();
        let mut n = 0;
        for (object, content) in &other.contents {
            while self.contents.get(n).is_some_and(|(own, _)| own < object) {
                n += 1;
            }
            match self.contents.get_mut(n).filter(|(own, _)| own == object) {
                None => new.push((*object, content.clone())),
                Some((_, own)) if Arc::ptr_eq(own, content) => {}
                // Equal contents are shared, so that they are compared only once.
                Some((_, own)) if own == content => own.clone_from(content),
                Some((_, own)) => changed |= Arc::make_mut(own).join(content, size),
            }
        }
        if !new.is_empty() {
            changed = true;
            self.contents.extend(new);
            self.contents.sort_by_key(|(object, _)| *object);
        }
        changed
    }

    fn find(&self, object: Object) -> Result<usize, usize> {
        self.contents.binary_search_by(|(own, _)| own.cmp(&object))
    }

    /// For each object, in order, whether pointers lead to it, starting with some objects, also through `constants`;
    /// `unknown` are those to which a pointer may point of which nothing is known.
    pub fn reachable(
        &self,
        roots: impl IntoIterator<Item = Object>,
        unknown: &[Object],
        constants: &State,
    ) -> Vec<bool> {
        let mut found = vec![false; self.contents.len()];
        let mut found_constants = vec![false; constants.contents.len()];
        let mut unknown_added = false;
        let mut open: Vec<Object> = roots.into_iter().collect();
        while let Some(object) = open.pop() {
            let (content, seen) = match (self.find(object), constants.find(object)) {
                (Ok(n), _) => (&self.contents[n].1, &mut found[n]),
                (_, Ok(n)) => (&constants.contents[n].1, &mut found_constants[n]),
                _ => continue,
            };
            if std::mem::replace(seen, true) {
                continue;
            }
            for targets in content.targets() {
                open.extend(targets.objects());
                if targets.may_be_unknown() && !std::mem::replace(&mut unknown_added, true) {
                    open.extend(unknown);
                }
            }
        }
        found
    }

    /// The part with the chosen objects, and the rest.
    pub fn split(&self, chosen: impl Fn(usize, Object) -> bool) -> (State, State) {
        let (mut part, mut rest) = (State::default(), State::default());
        for (n, (object, content)) in self.contents.iter().enumerate() {
            let side = if chosen(n, *object) { &mut part } else { &mut rest };
            side.contents.push((*object, content.clone()));
        }
        (part, rest)
    }

    /// The state without some objects; pointers to them point to [`Object::Ended`].
    pub fn without(&self, ended: impl Fn(Object) -> bool) -> State {
        let hit = |targets: &TargetSet| targets.objects().any(&ended);
        let kept = self.contents.iter().filter(|(object, _)| !ended(*object));
        let contents = kept.map(|(object, content)| match content.targets().any(hit) {
            true => (*object, Arc::new(content.with_ended(&ended))),
            false => (*object, content.clone()),
        });
        State { contents: contents.collect() }
    }
}
