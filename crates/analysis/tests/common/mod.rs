//! Random programs that are nothing but control flow, made as IR text.

use std::fmt::Write;

use quipu_ir::Module;

/// A small generator of random choices: xorshift64* (Marsaglia, Vigna).
pub struct Rng(u64);

impl Rng {
    /// The generator that a seed names.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}

/// How a block ends.
#[derive(Clone)]
pub enum End {
    Goto(Vec<usize>),
    Return,
    Halt,
}

/// A block: its calls as text, and how it ends. In the text of a call, `%v` is a new value.
#[derive(Clone)]
pub struct BlockSpec {
    pub calls: Vec<String>,
    pub end: End,
}

/// The text of the body of a function.
pub fn body_text(blocks: &[BlockSpec]) -> String {
    let mut out = String::from("{\n");
    let mut n_values = 0;
    for (n, block) in blocks.iter().enumerate() {
        writeln!(out, "bb{n}:").unwrap();
        for call in &block.calls {
            writeln!(out, "  {}", call.replace("%v", &format!("%{n_values}"))).unwrap();
            n_values += usize::from(call.contains("%v"));
        }
        match &block.end {
            End::Return => out.push_str("  ret\n"),
            End::Halt => out.push_str("  unreachable noreturn\n"),
            End::Goto(targets) if targets.len() == 1 => writeln!(out, "  jump bb{}", targets[0]).unwrap(),
            End::Goto(targets) => {
                out.push_str("  switch i32 i32 0 {\n");
                let (last, cases) = targets.split_last().expect("a goto should lead somewhere");
                for (value, target) in cases.iter().enumerate() {
                    writeln!(out, "    case {value}: bb{target}").unwrap();
                }
                writeln!(out, "    default: bb{last}\n  }}").unwrap();
            }
        }
    }
    out.push_str("}\n");
    out
}

/// The module with these globals and functions; type 1 is that of functions without parameters and result,
/// type 2 that of those with a pointer as parameter.
pub fn module(declarations: &str) -> Module {
    let types = "t0 = void\nt1 = function () -> t0\nt2 = function (t3) -> t0\nt3 = pointer t0\n";
    let text = format!("module lp64\nfile0 = \"random.c\"\n{types}{declarations}");
    quipu_ir::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// A block with up to three ways out to blocks from `first` on.
pub fn random_end(rng: &mut Rng, first: usize, n_blocks: usize) -> End {
    match rng.below(8) {
        0 => End::Return,
        1 => End::Halt,
        n => End::Goto((0..1 + n % 3).map(|_| first + rng.below(n_blocks - first)).collect()),
    }
}
