//! Functions: blocks, values, local objects, and the source constructs that testing goals are made of.

use quipu_base::{IdVec, define_id};
use rustc_hash::FxHashMap;

use crate::inst::{Inst, InstKind, Terminator};
use crate::module::{Func, Global};
use crate::source::Span;
use crate::source_type::TypeId;
use crate::ty::Ty;

define_id!(
    /// A basic block.
    Block, "bb"
);
define_id!(
    /// An SSA value.
    Value, "%"
);
define_id!(
    /// A local memory object.
    Slot, "slot"
);
define_id!(
    /// A source statement.
    Stmt, "s"
);
define_id!(
    /// A decision of the source.
    Decision, "d"
);
define_id!(
    /// An atomic condition of the source.
    Cond, "c"
);

/// A function: its interface, and its body where there is one.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// The name; unique in the module.
    pub name: String,
    /// The name in the source, which several `static` functions of different files may share.
    pub source_name: String,
    /// The source type: a [`SourceType::Function`](crate::SourceType::Function).
    pub ty: TypeId,
    /// The parameters of the IR function. A struct result adds a pointer in front, variadic arguments a
    /// pointer behind; a struct argument is a pointer to a copy of its own.
    pub params: Vec<Param>,
    /// The result, if there is one.
    pub ret: Option<Ty>,
    /// Whether the first parameter points to the place for a struct result.
    pub returns_struct: bool,
    /// Whether the last parameter points to the packed variadic arguments.
    pub variadic: bool,
    /// Whether a call never comes back.
    pub noreturn: bool,
    /// Whether the function is visible in its own file only.
    pub local: bool,
    /// Whether another definition, which nobody has seen, may take the place of this one; or, of a function without a
    /// body, whether there may be none at all, so that its address is null.
    pub weak: bool,
    /// Where the source names it.
    pub span: Span,
    /// What it does.
    pub body: Body,
}

/// A parameter of an IR function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The name in the source.
    pub name: Option<String>,
    /// The value's type.
    pub ty: Ty,
    /// The source type; none for the hidden parameters.
    pub source: Option<TypeId>,
    /// The length, where the source writes the parameter as an array of constant length (`int a[10]`). The source
    /// type is the pointer that C makes of it (6.7.6.3p7).
    pub elements: Option<u64>,
}

/// The body of a function.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// No body is known: an input of the program, or a library function that the interpreter knows.
    Declared,
    /// There is a body that Quipu cannot represent, for these reasons.
    Unsupported(Vec<Unsupported>),
    /// The code.
    Defined(Box<FuncBody>),
}

/// A construct without a representation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is, e.g. `inline assembly`.
    pub what: String,
    /// Where it stands.
    pub span: Span,
}

/// The code of a function. Block 0 is the entry; its parameters are the function's.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FuncBody {
    /// The blocks.
    pub blocks: IdVec<Block, BlockData>,
    /// The values.
    pub values: IdVec<Value, ValueData>,
    /// The local memory objects.
    pub slots: IdVec<Slot, SlotData>,
    /// The source statements, in source order.
    pub stmts: IdVec<Stmt, StmtData>,
    /// The decisions, in source order.
    pub decisions: IdVec<Decision, DecisionData>,
    /// The atomic conditions; those of one decision follow each other in evaluation order.
    pub conds: IdVec<Cond, CondData>,
    /// What variables of the source hold at the heads of loops, where that is a value.
    pub names: Vec<NamedValue>,
    /// Finds the value of a constant, so that each constant has one.
    constants: FxHashMap<(Ty, ValueDef), Value>,
}

/// A basic block.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockData {
    /// The values that the incoming edges supply.
    pub params: Vec<Value>,
    /// The instructions.
    pub insts: Vec<Inst>,
    /// How the block ends.
    pub term: Terminator,
    /// Where the terminator comes from.
    pub span: Span,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: Ty,
    /// Where it comes from.
    pub def: ValueDef,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueDef {
    /// An instruction or a block parameter defines it.
    Computed,
    /// A number, as canonical bits.
    Const(u64),
    /// The address of a global object, moved by a number of bytes.
    Global(Global, i64),
    /// The address of a function.
    Func(Func),
}

/// A local memory object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotData {
    /// The variable's name; none for a temporary.
    pub name: Option<String>,
    /// The size in bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
    /// The source type.
    pub ty: Option<TypeId>,
    /// Where it is declared.
    pub span: Span,
}

/// A variable of the source that is a value whenever control comes to a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedValue {
    /// The head of a loop.
    pub block: Block,
    /// The name of the variable.
    pub name: String,
    /// Its source type.
    pub ty: Option<TypeId>,
    /// What it holds there.
    pub value: Value,
}

/// A statement of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StmtData {
    /// Its text.
    pub span: Span,
}

/// A decision of the source: a place where control flow or a truth value is decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionData {
    /// What kind of construct it is.
    pub kind: DecisionKind,
    /// The controlling expression.
    pub span: Span,
    /// The text of the controlling expression.
    pub text: String,
}

/// What kind of construct decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// `if`.
    If,
    /// `while`.
    While,
    /// `do ... while`.
    DoWhile,
    /// `for`.
    For,
    /// `?:`.
    Conditional,
    /// `switch`.
    Switch,
    /// The expression of an `assert`.
    Assert,
    /// `&&` or `||` whose value is used.
    Logical,
}

impl DecisionKind {
    /// All kinds with their names in text forms.
    pub const ALL: [(DecisionKind, &'static str); 8] = [
        (DecisionKind::If, "if"),
        (DecisionKind::While, "while"),
        (DecisionKind::DoWhile, "do"),
        (DecisionKind::For, "for"),
        (DecisionKind::Conditional, "conditional"),
        (DecisionKind::Switch, "switch"),
        (DecisionKind::Assert, "assert"),
        (DecisionKind::Logical, "logical"),
    ];

    /// The kind's name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).expect("every kind should be in the table").1
    }
}

/// An atomic condition: an operand of `&&`, `||`, `!` in a decision that contains no such operator itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CondData {
    /// The decision it belongs to.
    pub decision: Decision,
    /// The expression.
    pub span: Span,
    /// The text of the expression.
    pub text: String,
    /// The outcome, where the language fixes it: a constant expression.
    pub constant: Option<bool>,
}

impl Function {
    /// The code, if the function has some.
    pub fn code(&self) -> Option<&FuncBody> {
        match &self.body {
            Body::Defined(body) => Some(body),
            Body::Declared | Body::Unsupported(_) => None,
        }
    }

    /// Whether an instruction of it is a call that the source does not contain: of what runs before `main`.
    pub fn is_startup(&self, inst: &Inst) -> bool {
        self.name == "main" && inst.span == self.span && matches!(inst.kind, InstKind::Call(..))
    }
}

impl FuncBody {
    /// The entry block.
    pub fn entry(&self) -> Block {
        self.blocks.ids().next().expect("a body should have an entry block")
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Ty {
        self.values[value].ty
    }

    /// The instruction that computes a value; none for parameters and constants.
    pub fn maker(&self, value: Value) -> Option<&InstKind> {
        let mut insts = self.blocks.iter().flat_map(|block| &block.insts);
        insts.find(|inst| inst.result == Some(value)).map(|inst| &inst.kind)
    }

    /// Whether it does anything with floats.
    pub fn has_floats(&self) -> bool {
        self.values.iter().any(|value| value.ty.float_width().is_some())
    }

    /// The value of a constant; each constant exists once.
    pub fn constant(&mut self, ty: Ty, def: ValueDef) -> Value {
        *self.constants.entry((ty, def)).or_insert_with(|| self.values.push(ValueData { ty, def }))
    }

    /// A new value of a type, for an instruction or a block parameter to define.
    pub fn fresh(&mut self, ty: Ty) -> Value {
        self.values.push(ValueData { ty, def: ValueDef::Computed })
    }

    /// Replaces the value table; the caller renumbers every mention of a value to fit.
    pub(crate) fn set_values(&mut self, values: IdVec<Value, ValueData>) {
        let constants = values.entries().filter(|(_, data)| data.def != ValueDef::Computed);
        self.constants = constants.map(|(value, data)| ((data.ty, data.def), value)).collect();
        self.values = values;
    }

    /// The conditions of a decision, in evaluation order.
    pub fn conds_of(&self, decision: Decision) -> impl Iterator<Item = Cond> {
        self.conds.entries().filter(move |(_, data)| data.decision == decision).map(|(cond, _)| cond)
    }
}
