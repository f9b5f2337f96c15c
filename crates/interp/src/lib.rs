//! An exact and fast interpreter of the IR.
//!
//! A [`Machine`] prepares each function once into flat code (module `code`), runs it on a [`Memory`] of
//! checked objects, and stops at the first undefined behaviour, with function and span. Library functions
//! are modelled in module `library`; functions that nobody defines, and everything that the environment
//! supplies, ask an [`InputSource`]. What happens on the way is told to an [`Observer`].
//!
//! The meaning of an arithmetic operation is `quipu_num`'s; nothing is computed here.

mod code;
mod exec;
mod input;
mod layout;
mod library;
mod machine;
mod memory;
mod observer;
mod outcome;
mod source_trace;
mod unwritten;
pub mod value_text;

pub use input::{
    END_AHEAD, Held, InputKind, InputRequest, InputSource, ListedInputs, OTHER_AHEAD, ZeroInputs,
};
pub use layout::{Layout, layout, resolve, scalar};
pub use library::{
    DefaultAction, character_classes, character_table, copies_unwritten, default_action, has_hidden_effects,
    is_locale_dependent, is_modelled, library_events, parse_float, stream_argument,
};
pub use machine::Machine;
pub use memory::{Memory, ObjectInfo, ObjectKind, Placement, is_library_object, is_stream};
pub use observer::{NoObserver, Observer, Trace, TraceItem};
pub use outcome::{Fallible, Limit, Limits, Outcome, Stop};
pub use source_trace::{SourceSteps, Step, StepSink};
pub use unwritten::{Unwritten, UnwrittenRead};
