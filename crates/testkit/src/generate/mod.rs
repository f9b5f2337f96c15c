//! A generator of random C programs that terminate and, unless asked otherwise, have no undefined
//! behaviour.
//!
//! A program is one function without arguments that returns a checksum of everything it computed. The
//! generator knows a range for every integer and a target for every pointer, so that many operations
//! need no guard: these exercise the interpreter's checks. What it cannot prove, it guards.
//!
//! The idea of random checksummed programs is Csmith's (Yang et al., "Finding and understanding bugs in C
//! compilers", PLDI 2011); the design is our own.

mod arith;
mod assign;
mod calls;
mod checksum;
mod conditions;
mod config;
mod context;
mod declarations;
mod effects;
mod expr;
mod floats;
mod functions;
mod heap;
mod initializers;
mod ints;
mod jumps;
mod library;
mod links;
mod literals;
mod loops;
mod lvalues;
mod plants;
mod pointers;
mod prelude;
mod range;
mod records;
mod spans;
mod special;
mod spelling;
mod statements;
mod strings;
mod switches;
mod types;
mod variadic;

pub use config::{Config, Features};

use context::Gen;

/// A generated program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The C text, without the helpers that [`source`] puts in front.
    pub text: String,
    /// The function to run: `unsigned long long entry(void)`.
    pub entry: String,
}

/// The program that a seed names. All its names at file scope start with the prefix.
pub fn program(seed: u64, prefix: &str, config: &Config) -> Program {
    let mut generator = Gen::new(seed, prefix, config);
    generator.declare_types();
    generator.declare_globals();
    generator.declare_links();
    generator.declare_spans();
    generator.define_functions();
    let entry = format!("{prefix}test");
    generator.define_entry(&entry);
    let hash = generator.hash_name();
    let sections = generator.sections;
    let text = format!(
        "/* {entry}: seed {seed} */\n{}static unsigned long long {hash} = {};\n{}{}\n{}",
        sections.types,
        seed % 1000,
        sections.prototypes,
        sections.globals,
        sections.functions
    );
    Program { text, entry }
}

/// A C file with these programs. Its `main` prints the number and the checksum of each, one per line, or
/// only that of the program whose number is its argument.
pub fn source(programs: &[Program]) -> String {
    let mut text = prelude::PRELUDE.to_string();
    for program in programs {
        text.push('\n');
        text.push_str(&program.text);
    }
    text.push_str("\nint main(int argc, char **argv)\n{\n    int only = argc > 1 ? atoi(argv[1]) : -1;\n");
    for (n, program) in programs.iter().enumerate() {
        text.push_str(&format!(
            "    if (only < 0 || only == {n}) {{ printf(\"{n} %llx\\n\", {}()); fflush(stdout); }}\n",
            program.entry
        ));
    }
    text.push_str("    return 0;\n}\n");
    text
}
