//! What the inputs of a function are, values for them, and runs on these values.
//!
//! An [`Interface`] lists every scalar that the environment chooses before a call: arguments, what pointer
//! arguments point to, and global state. A pointer is a choice between null and a few objects or functions.
//! What the environment chooses *during* the call (results of unknown functions, numbers that `scanf` reads) is a
//! sequence of values, as long as the run asks for. [`Inputs`] holds values for both; a [`Runner`] runs them.

mod allowed;
mod answer;
mod assumption;
mod bearing;
mod build;
mod carried;
mod deeper;
mod function_pointer;
mod interface;
mod marks;
mod mentioned;
mod numbers;
mod opaque;
mod outside;
mod path;
mod placed;
mod places;
mod pointee;
mod program;
mod proposal;
mod reliance;
mod runner;
mod shape;
mod spans;
mod stub;
mod tail;
mod target;
mod unsized_array;
mod usage;
mod written;

pub use allowed::{Allowed, Number, finite_ranks};
pub use answer::{Answered, CALLS, CHANGES, GIVES, answer_name, answered, only_returns};
pub use assumption::{Assumption, AssumptionId, Fixed, Maker, Reliance};
pub use bearing::{Bearing, Elsewhere};
pub use deeper::Deeper;
pub use interface::{
    Argument, Extent, Interface, LeafInfo, ObjectShape, Origin, Patch, Place, RefusedShape, RestsOn, Spot,
};
pub use mentioned::{Mentioned, functions_by_address};
pub use outside::{Effects, Outside, argument_bit, is_outside, is_system, stands_for_another};
pub use proposal::{LengthRange, Proposal, Proposals, Reason};
pub use runner::{Fill, Inputs, NothingMore, Observation, Output, Request, Runner, place_objects};
pub use shape::{Choice, Length, MOST_ELEMENTS, SHAPE_FORMS, Shape, Shapes};
pub use stub::{add_provisions, file_scope_names, is_stub};
pub use target::{Row, Target, TargetList};

use quipu_base::define_id;

define_id!(
    /// A scalar input.
    Leaf, "in"
);
define_id!(
    /// An object that exists before the call and whose content is an input.
    Object, "obj"
);
