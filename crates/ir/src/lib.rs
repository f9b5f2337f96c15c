//! The intermediate representation: a small typed SSA language in which C's semantics are explicit.
//!
//! Every conversion, wrap and check is an instruction. A value is an integer of 1 to 64 bits, a `float`, a
//! `double` or a pointer; structs and arrays live in memory objects only. Blocks take parameters instead
//! of phi nodes. Undefined behaviours are named [`Event`]s: arithmetic ones are raised by `check`
//! instructions that stand in front of the (total) operation, memory ones by the access itself.
//!
//! The text form ([`print()`], [`parse()`]) is complete: a printed module parses to an equal module.

mod cfg;
mod devices;
mod dominators;
mod event;
mod function;
mod inst;
mod module;
mod operands;
mod parse;
mod print;
mod promote;
mod registers;
mod source;
mod source_type;
mod ty;
mod uses;
mod verify;
mod volatile;

pub use cfg::Cfg;
pub use devices::{NULL_PAGE, add_devices};
pub use dominators::Dominators;
pub use event::Event;
pub use function::{
    Block, BlockData, Body, Cond, CondData, Decision, DecisionData, DecisionKind, FuncBody, Function,
    NamedValue, Param, Slot, SlotData, Stmt, StmtData, Unsupported, Value, ValueData, ValueDef,
};
pub use inst::{Callee, Case, Check, Edge, Inst, InstKind, Terminator, Unreachable};
pub use module::{DataModel, Func, Global, GlobalData, Init, Module, Reloc, Symbol, View};
pub use parse::{ParseError, parse};
pub use print::{print, print_function};
pub use promote::promote;
pub use source::{FileId, Span};
pub use source_type::{Field, RecordKind, SourceType, SourceTypes, TypeId};
pub use ty::Ty;
pub use verify::{VerifyError, verify, verify_function};
pub use volatile::keep_private;
