//! What a text asks about its constraints.

use quipu_model::Var;

use crate::diagnostic::Span;

/// A question about the assertions in front of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    pub kind: QueryKind,
    /// The variables to show, or to project on: those named, else all inputs declared in front of the query.
    pub variables: Vec<Var>,
    /// Whether the variables were named.
    pub named: bool,
    /// The most solutions that are wanted.
    pub limit: Option<u64>,
    pub strategy: Option<Strategy>,
    /// How many of the model's assertions stand in front of it.
    pub n_assertions: usize,
    /// Where it stands.
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryKind {
    /// What propagation alone finds.
    Propagate,
    /// One solution.
    Solve,
    /// All solutions.
    All,
    /// The number of solutions.
    Count,
}

impl QueryKind {
    /// All kinds with their words in the text.
    pub const ALL: [(QueryKind, &'static str); 4] = [
        (QueryKind::Propagate, "propagate"),
        (QueryKind::Solve, "solve"),
        (QueryKind::All, "all"),
        (QueryKind::Count, "count"),
    ];

    pub fn word(self) -> &'static str {
        QueryKind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |&(_, word)| word)
    }
}

/// How to choose the next variable and value of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    Default,
    FirstFail,
    MostConstrained,
    Split,
    SmallFirst,
    BoundaryFirst,
    /// By chance, with this seed.
    Random(u64),
}

impl Strategy {
    /// The strategies without a parameter, with their words in the text.
    pub const PLAIN: [(Strategy, &'static str); 6] = [
        (Strategy::Default, "default"),
        (Strategy::FirstFail, "first_fail"),
        (Strategy::MostConstrained, "most_constrained"),
        (Strategy::Split, "split"),
        (Strategy::SmallFirst, "small_first"),
        (Strategy::BoundaryFirst, "boundary_first"),
    ];
}

impl std::fmt::Display for Strategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self, Strategy::PLAIN.iter().find(|(strategy, _)| strategy == self)) {
            (Strategy::Random(seed), _) => write!(f, "random {seed}"),
            (_, found) => f.write_str(found.map_or("", |&(_, word)| word)),
        }
    }
}
