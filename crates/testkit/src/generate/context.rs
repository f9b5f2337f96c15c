//! The state of one generation: what has been declared, where text goes, and what is allowed right now.

use super::config::{Config, Features};
use super::effects::{Effects, MEMORY};
use super::expr::Target;
use super::links::Links;
use super::range::Range;
use super::spans::Spans;
use super::types::{EnumDef, Param, Record, Signature, Type};
use crate::rng::Rng;

/// A generator of one program. Its methods are spread over the files of this module, one idea each.
pub struct Gen<'c> {
    pub(super) rng: Rng,
    pub(super) config: &'c Config,
    pub(super) features: Features,
    /// Starts every name at file scope, so that many programs fit into one file.
    pub(super) prefix: &'c str,
    pub(super) enums: Vec<EnumDef>,
    pub(super) records: Vec<Record>,
    pub(super) signatures: Vec<Signature>,
    pub(super) globals: Vec<Var>,
    pub(super) functions: Vec<Function>,
    pub(super) tables: Vec<Table>,
    /// The name and length of the program's array of strings.
    pub(super) names_table: Option<(String, u64)>,
    /// The linked nodes of the program.
    pub(super) links: Option<Links>,
    /// The functions of the program on two stretches of memory.
    pub(super) spans: Option<Spans>,
    pub(super) sections: Sections,
    pub(super) frame: Frame,
    pub(super) mode: Mode,
    names: u32,
}

/// The text at file scope, in the order in which it appears.
#[derive(Default)]
pub struct Sections {
    pub(super) types: String,
    pub(super) prototypes: String,
    pub(super) globals: String,
    pub(super) functions: String,
}

/// What expressions may do at the moment, from the strictest to the most liberal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mode {
    /// Constant expressions only.
    Constant,
    /// No writes, so that an evaluation may be repeated or moved.
    Pure,
    /// Anything.
    Any,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    pub(super) name: String,
    pub(super) ty: Type,
    /// What every integer in it stays within; no limit but the type's if absent.
    pub(super) range: Option<Range>,
    pub(super) writable: bool,
    /// Whether pointers may point to it. Such a variable has no range of its own.
    pub(super) addressable: bool,
    pub(super) volatile: bool,
    /// The bit in [`Effects`].
    pub(super) bit: u128,
    /// The nesting depth of its block; 0 for global objects.
    pub(super) level: u32,
    /// What a pointer in it points to.
    pub(super) target: Target,
}

impl Var {
    /// A variable without a range that nothing points to.
    pub(super) fn new(name: String, ty: Type, level: u32, bit: u128) -> Var {
        let target = Target { level, ..Target::GLOBAL };
        let (writable, addressable, volatile) = (true, false, false);
        Var { name, ty, range: None, writable, addressable, volatile, bit, level, target }
    }
}

/// A function of the generated program.
#[derive(Clone, Debug)]
pub struct Function {
    pub(super) name: String,
    pub(super) signature: usize,
    /// The values that an integer result stays within.
    pub(super) ret_range: Option<Range>,
    /// What a call does.
    pub(super) effects: Effects,
    /// An estimate of the statements that a call executes.
    pub(super) cost: u64,
    /// Whether the first parameter counts the remaining recursive calls.
    pub(super) recursive: bool,
    /// The arguments that follow the named ones.
    pub(super) variadic: Option<Variadic>,
}

/// What a variadic function expects behind its parameters.
#[derive(Clone, Debug)]
pub enum Variadic {
    /// As many values of this type as the first argument says.
    Counted(Type),
    /// Exactly these.
    Fixed(Vec<Param>),
}

/// An array of pointers to functions of one signature.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) name: String,
    pub(super) signature: usize,
    pub(super) len: u64,
    pub(super) cost: u64,
}

/// What surrounds a statement and can be left by `break` or `continue`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enclosing {
    /// A loop.
    Loop,
    /// A `switch`.
    Switch,
}

/// The state of the function being generated.
pub struct Frame {
    pub(super) out: String,
    pub(super) indent: usize,
    pub(super) scopes: Vec<Vec<Var>>,
    pub(super) enclosing: Vec<Enclosing>,
    /// Labels behind the loops around the current place.
    pub(super) exits: Vec<String>,
    /// What is known about a variable for the length of an expression, because it was just tested.
    pub(super) refined: Vec<(String, Range)>,
    /// A name that an unfinished declaration hides.
    pub(super) hidden: Option<String>,
    pub(super) ret: Option<Type>,
    pub(super) ret_range: Option<Range>,
    /// Whether the function may end before its last line.
    pub(super) may_return: bool,
    /// How often the current place is executed per call of the function, at most.
    pub(super) weight: u64,
    pub(super) cost: u64,
    pub(super) statements_left: u32,
    /// How many indices the current expression is inside of.
    pub(super) index_nesting: u32,
    /// Whether the current full expression has an unguarded operation already.
    pub(super) unguarded: bool,
    /// Whether the current full expression calls a function of the program already.
    pub(super) called: bool,
    next_bit: u32,
}

impl Frame {
    /// A function with this result type.
    pub(super) fn new(ret: Option<Type>, statements: u32) -> Frame {
        Frame {
            out: String::new(),
            indent: 1,
            scopes: vec![Vec::new()],
            enclosing: Vec::new(),
            exits: Vec::new(),
            refined: Vec::new(),
            hidden: None,
            ret,
            ret_range: None,
            may_return: true,
            weight: 1,
            cost: 1,
            statements_left: statements,
            index_nesting: 0,
            unguarded: false,
            called: false,
            next_bit: 1,
        }
    }

    /// The nesting depth of the current block.
    pub(super) fn level(&self) -> u32 {
        u32::try_from(self.scopes.len()).expect("blocks should not nest that deep")
    }

    /// A bit for a new local variable that only its own name reaches; the common one when all are taken.
    pub(super) fn own_bit(&mut self) -> u128 {
        if self.next_bit < 128 {
            self.next_bit += 1;
            1 << (self.next_bit - 1)
        } else {
            MEMORY
        }
    }
}

impl<'c> Gen<'c> {
    /// A generator with its own random choices.
    pub(super) fn new(seed: u64, prefix: &'c str, config: &'c Config) -> Gen<'c> {
        let mut rng = Rng::new(seed);
        let features = config.features.clone().unwrap_or_else(|| Features::swarm(&mut rng));
        Gen {
            rng,
            config,
            features,
            prefix,
            enums: Vec::new(),
            records: Vec::new(),
            signatures: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            tables: Vec::new(),
            names_table: None,
            links: None,
            spans: None,
            sections: Sections::default(),
            frame: Frame::new(None, 0),
            mode: Mode::Any,
            names: 0,
        }
    }

    /// A new name for file scope.
    pub(super) fn global_name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{}{stem}{}", self.prefix, self.names)
    }

    /// A new name for block scope.
    pub(super) fn local_name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Writes a line of the current function.
    pub(super) fn line(&mut self, text: &str) {
        let indent = "    ".repeat(self.frame.indent);
        self.frame.out.push_str(&indent);
        self.frame.out.push_str(text);
        self.frame.out.push('\n');
    }

    /// Runs `f` with at most the freedom of `mode`.
    pub(super) fn with_mode<T>(&mut self, mode: Mode, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.mode;
        self.mode = outer.min(mode);
        let result = f(self);
        self.mode = outer;
        result
    }

    /// Starts a full expression: the next one may again have one unguarded operation.
    pub(super) fn begin_full_expression(&mut self) {
        self.frame.unguarded = false;
        self.frame.called = false;
    }

    /// Whether to leave an operation unguarded here. Only one per full expression and none beside a call,
    /// so that the order of evaluation, which C leaves open, does not decide what goes wrong first.
    pub(super) fn leave_unguarded(&mut self, percent: u32) -> bool {
        let possible = self.config.undefined
            && self.mode != Mode::Constant
            && !self.frame.unguarded
            && !self.frame.called
            && self.rng.chance(percent);
        self.frame.unguarded |= possible;
        possible
    }

    /// The variables in scope that are not hidden by others, inner ones first.
    pub(super) fn visible(&self) -> Vec<&Var> {
        let mut seen: Vec<&str> = self.frame.hidden.as_deref().into_iter().collect();
        let mut vars = Vec::new();
        for var in self.frame.scopes.iter().rev().flatten().chain(&self.globals) {
            if !seen.contains(&var.name.as_str()) {
                seen.push(&var.name);
                vars.push(var);
            }
        }
        vars
    }

    /// A variable in scope with a property.
    pub(super) fn pick_var(&mut self, wanted: impl Fn(&Var) -> bool) -> Option<Var> {
        let candidates: Vec<Var> = self.visible().into_iter().filter(|var| wanted(var)).cloned().collect();
        let n = candidates.len();
        // Inner variables are favoured: the smaller of two draws.
        (n > 0).then(|| candidates[self.rng.index(n).min(self.rng.index(n))].clone())
    }

    /// Adds a variable to the innermost block.
    pub(super) fn add_local(&mut self, var: Var) {
        self.frame.scopes.last_mut().expect("a function should have a scope").push(var);
    }

    /// Combines an expression with an operand whose evaluation is not ordered with it: tries a few, each
    /// stricter than the one before, until their effects do not conflict.
    pub(super) fn beside<T>(
        &mut self,
        other: Effects,
        effects: impl Fn(&T) -> Effects,
        mut generate: impl FnMut(&mut Self) -> T,
    ) -> T {
        for mode in [Mode::Any, Mode::Pure, Mode::Pure] {
            let operand = self.with_mode(mode, &mut generate);
            if !effects(&operand).conflicts(other) {
                return operand;
            }
        }
        self.with_mode(Mode::Constant, generate)
    }
}
