//! What to generate: sizes, language features, and whether undefined behaviour is planted.

use crate::rng::Rng;

/// The shape of generated programs.
#[derive(Clone, Debug)]
pub struct Config {
    /// The largest number of functions besides the entry.
    pub functions: u32,
    /// The largest number of statements of a function.
    pub statements: u32,
    /// How deep expressions nest.
    pub expr_depth: u32,
    /// An estimate of how many statements a run may execute.
    pub max_cost: u64,
    /// Whether a few operations are left unguarded, so that most programs have undefined behaviour.
    pub undefined: bool,
    /// The language features to use; by default each program draws its own.
    pub features: Option<Features>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            functions: 5,
            statements: 14,
            expr_depth: 3,
            max_cost: 20_000,
            undefined: false,
            features: None,
        }
    }
}

/// Language features that can be left out.
#[derive(Clone, Debug)]
pub struct Features {
    /// `float` and `double`.
    pub floats: bool,
    /// Bit-fields in structs.
    pub bit_fields: bool,
    /// Pointers to data.
    pub pointers: bool,
    /// Structs and unions.
    pub records: bool,
    /// `goto`, forward, backward and into blocks.
    pub gotos: bool,
    /// `switch`.
    pub switches: bool,
    /// Variadic functions.
    pub variadics: bool,
    /// `malloc`, `free` and `alloca`.
    pub heap: bool,
    /// String literals and the string functions.
    pub strings: bool,
    /// Builtins and library functions with exact results.
    pub library: bool,
    /// Recursive functions.
    pub recursion: bool,
    /// Pointers to functions.
    pub function_pointers: bool,
    /// `({ ... })`.
    pub statement_expressions: bool,
    /// Assignments and increments inside expressions.
    pub inner_assignments: bool,
    /// `volatile` objects.
    pub volatile: bool,
    /// Lists of linked nodes.
    pub links: bool,
}

impl Features {
    /// Leaves out a few features at random: programs that lack one feature exercise the others more
    /// (Groce et al., "Swarm testing", ISSTA 2012).
    pub fn swarm(rng: &mut Rng) -> Features {
        let mut keep = || rng.chance(80);
        Features {
            floats: keep(),
            bit_fields: keep(),
            pointers: keep(),
            records: keep(),
            gotos: keep(),
            switches: keep(),
            variadics: keep(),
            heap: keep(),
            strings: keep(),
            library: keep(),
            recursion: keep(),
            function_pointers: keep(),
            statement_expressions: keep(),
            inner_assignments: keep(),
            volatile: keep(),
            links: keep(),
        }
    }
}
