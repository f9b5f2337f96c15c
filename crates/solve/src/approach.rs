//! Who looks for a solution, and from which side.

use quipu_cp::{Direction, Queue};

use crate::options::Options;

/// A way to solve, by the names of the literature.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Approach {
    /// All parts of the solver in turns.
    #[default]
    Automatic,
    /// Search that decides definitions, backwards from what is asked.
    Dpvs(Queue),
    /// Search that decides conditions in the order of the program.
    Cpbpv,
    /// SAT alone.
    Sat,
}

impl Approach {
    pub fn options(self) -> Options {
        let search = |direction| Options { directions: vec![direction], sat: false, ..Options::default() };
        match self {
            Approach::Automatic => Options::default(),
            Approach::Dpvs(queue) => search(Direction::Backwards(queue)),
            Approach::Cpbpv => search(Direction::Forwards),
            Approach::Sat => Options { search: false, ..Options::default() },
        }
    }
}
