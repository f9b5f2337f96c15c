//! A whole program: functions and global objects.

use quipu_base::{IdVec, define_id};

use crate::function::Function;
use crate::source::{FileId, Span};
use crate::source_type::{SourceTypes, TypeId};
use crate::ty::Ty;

define_id!(
    /// A function of a module.
    Func, "func"
);
define_id!(
    /// A global object of a module.
    Global, "global"
);

/// A program.
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    /// The sizes of C's types.
    pub data_model: DataModel,
    /// The source files, by the name under which they were opened.
    pub files: IdVec<FileId, String>,
    /// The source types.
    pub types: SourceTypes,
    /// The objects with static storage duration, string literals included.
    pub globals: IdVec<Global, GlobalData>,
    /// The functions, with and without a body.
    pub functions: IdVec<Func, Function>,
    /// What the code sees behind pointers to incomplete structs and unions, and to `void`, when it converts them, in the
    /// order of the source.
    pub views: Vec<View>,
}

/// A conversion of pointers that tells what an incomplete type hides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The incomplete type, or `void`.
    pub hidden: TypeId,
    /// The complete one.
    pub shown: TypeId,
}

/// The sizes of `long` and of pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    /// 64-bit `long` and pointers.
    Lp64,
    /// 32-bit `long` and pointers.
    Ilp32,
}

impl DataModel {
    /// The size of a pointer in bytes.
    pub fn pointer_size(self) -> u64 {
        match self {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    /// The integer type of a pointer's size.
    pub fn address_ty(self) -> Ty {
        match self {
            DataModel::Lp64 => Ty::I64,
            DataModel::Ilp32 => Ty::I32,
        }
    }

    /// The number of bytes that a value of this type takes in memory.
    pub fn size_of(self, ty: Ty) -> u64 {
        match ty {
            Ty::Int(w) => u64::from(w.bits()).div_ceil(8).next_power_of_two(),
            Ty::Float(w) => u64::from(w.bits() / 8),
            Ty::Ptr => self.pointer_size(),
        }
    }
}

/// An object with static storage duration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalData {
    /// The name; unique in the module.
    pub name: String,
    /// The name in the source; none for a string literal or another unnamed object.
    pub source_name: Option<String>,
    /// The source type.
    pub ty: TypeId,
    /// The size in bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
    /// Whether writing to it is undefined.
    pub constant: bool,
    /// Whether it is visible in its own file (or function) only.
    pub local: bool,
    /// Whether it is declared inside a function, so that no other code can name it.
    pub block_scope: bool,
    /// Whether another definition, which nobody has seen, may take the place of this one; or, of one that is only
    /// declared, whether there may be none at all, so that its address is null.
    pub weak: bool,
    /// What it holds at the start.
    pub init: Init,
    /// Where it is declared.
    pub span: Span,
}

/// What a global object holds at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Init {
    /// Only declared: its content is an input of the program.
    External,
    /// These bytes, zeros behind them, and addresses on top.
    Data {
        /// The leading bytes; shorter than the object where zeros follow.
        bytes: Vec<u8>,
        /// The addresses to fill in.
        relocs: Vec<Reloc>,
    },
    /// Nothing that the program made: it is there before the program is, at an address that this names by a number.
    /// What it holds is an input of the program.
    Device {
        /// The address.
        address: u64,
    },
}

/// An address inside an initial value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reloc {
    /// Where the pointer stands.
    pub offset: u64,
    /// What it points to.
    pub symbol: Symbol,
    /// How many bytes behind its start.
    pub addend: i64,
}

/// Something with an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// A global object.
    Global(Global),
    /// A function.
    Func(Func),
}

impl Module {
    /// The function with this name in the module, or else the only one with this name in the source.
    pub fn function(&self, name: &str) -> Option<Func> {
        let exact = self.functions.entries().find(|(_, function)| function.name == name);
        let mut by_source = self.functions.entries().filter(|(_, function)| function.source_name == name);
        let unique = by_source.next().filter(|_| by_source.next().is_none());
        exact.or(unique).map(|(func, _)| func)
    }
}
