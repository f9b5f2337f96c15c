//! What a pointer may point to: a list of targets, in which places one after the other in an object are one entry.
//!
//! An array may have very many elements, so a list is as long as what it says is complicated, not as what it means.

use quipu_ir::Func;

use crate::Object;

/// What a pointer may point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A place in an object, so many bytes behind its start.
    Object(Object, u64),
    Function(Func),
    /// Memory that the program names by this number.
    Device(u64),
}

/// Some targets: one, or places in an object one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    pub first: Target,
    /// The bytes from one place to the next.
    pub step: u64,
    /// How many there are; one for a function.
    pub count: u64,
}

/// What a pointer may point to, in the order of its values: value 0 is null, value n is the n-th target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TargetList {
    rows: Vec<Row>,
}

impl Row {
    pub fn one(target: Target) -> Row {
        Row { first: target, step: 0, count: 1 }
    }

    /// The target with a number, from 0 on.
    fn nth(&self, n: u64) -> Target {
        match self.first {
            Target::Object(object, offset) => Target::Object(object, offset + n * self.step),
            function => function,
        }
    }

    fn contains(&self, target: Target) -> bool {
        match (self.first, target) {
            (Target::Object(own, start), Target::Object(object, offset)) if own == object => {
                let distance = offset.checked_sub(start);
                match self.step {
                    0 => distance == Some(0),
                    step => distance.is_some_and(|far| far.is_multiple_of(step) && far / step < self.count),
                }
            }
            (own, other) => own == other,
        }
    }
}

impl TargetList {
    /// Adds what is not there yet: each target is one choice, however many ways lead to it.
    pub fn add(&mut self, row: Row) {
        let shared = |known: &Row| match (known.first, row.first) {
            (Target::Object(a, _), Target::Object(b, _)) => a == b,
            (a, b) => a == b,
        };
        if !self.rows.iter().any(shared) {
            return self.rows.push(row);
        }
        let mut open: Option<Row> = None;
        for target in (0..row.count).map(|n| row.nth(n)) {
            let known = self.rows.iter().any(|one| one.contains(target));
            match (&mut open, known) {
                (Some(part), false) => part.count += 1,
                (None, false) => open = Some(Row { first: target, step: row.step, count: 1 }),
                (_, true) => self.rows.extend(open.take()),
            }
        }
        self.rows.extend(open);
    }

    /// The number of targets.
    pub fn len(&self) -> u64 {
        self.rows.iter().map(|row| row.count).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What a value means; none for null.
    pub fn get(&self, value: u64) -> Option<Target> {
        let (first, row) = self.rows().take_while(|(first, _)| *first <= value).last()?;
        (value - first < row.count).then(|| row.nth(value - first))
    }

    /// The value that means a target.
    pub fn value_of(&self, target: Target) -> Option<u64> {
        let (first, row) = self.rows().find(|(_, row)| row.contains(target))?;
        match (row.first, target) {
            (Target::Object(_, start), Target::Object(_, offset)) if row.step > 0 => {
                Some(first + (offset - start) / row.step)
            }
            _ => Some(first),
        }
    }

    /// The rows, each with the value of its first target.
    pub fn rows(&self) -> impl Iterator<Item = (u64, &Row)> {
        self.rows.iter().scan(1, |next, row| {
            let first = *next;
            *next += row.count;
            Some((first, row))
        })
    }

    /// The functions among them.
    pub fn functions(&self) -> impl Iterator<Item = Func> + '_ {
        self.rows.iter().filter_map(|row| match row.first {
            Target::Function(func) => Some(func),
            Target::Object(..) | Target::Device(_) => None,
        })
    }

    /// The objects among them, one after the other as rows have them.
    pub fn objects(&self) -> impl Iterator<Item = Object> + '_ {
        self.rows.iter().filter_map(|row| match row.first {
            Target::Object(object, _) => Some(object),
            Target::Function(_) | Target::Device(_) => None,
        })
    }
}

impl FromIterator<Row> for TargetList {
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> TargetList {
        let mut targets = TargetList::default();
        rows.into_iter().for_each(|row| targets.add(row));
        targets
    }
}

#[cfg(test)]
mod tests {
    use quipu_base::Id;

    use super::*;

    fn at(object: usize, offset: u64) -> Target {
        Target::Object(Object::new(object), offset)
    }

    fn all(targets: &TargetList) -> Vec<Target> {
        (1..=targets.len()).map(|value| targets.get(value).expect("it is a target")).collect()
    }

    #[test]
    fn values_are_targets_in_their_order() {
        let function = Target::Function(Func::new(3));
        let row = Row { first: at(1, 4), step: 4, count: 3 };
        let targets: TargetList = [Row::one(at(0, 0)), row, Row::one(function)].into_iter().collect();
        assert_eq!(all(&targets), [at(0, 0), at(1, 4), at(1, 8), at(1, 12), function]);
        let values: Vec<_> = all(&targets).into_iter().map(|target| targets.value_of(target)).collect();
        assert_eq!(values, [Some(1), Some(2), Some(3), Some(4), Some(5)]);
        assert_eq!(targets.value_of(at(1, 6)), None);
        assert_eq!((targets.get(0), targets.get(6)), (None, None));
        assert_eq!(targets.functions().collect::<Vec<_>>(), [Func::new(3)]);
    }

    #[test]
    fn nothing_is_there_twice() {
        let mut targets: TargetList = [Row::one(at(0, 2)), Row::one(at(1, 0))].into_iter().collect();
        targets.add(Row { first: at(0, 0), step: 1, count: 5 });
        targets.add(Row { first: at(0, 0), step: 2, count: 4 });
        targets.add(Row::one(at(1, 0)));
        let expected = [at(0, 2), at(1, 0), at(0, 0), at(0, 1), at(0, 3), at(0, 4), at(0, 6)];
        assert_eq!(all(&targets), expected);
    }
}
