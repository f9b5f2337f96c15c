//! Random programs of which a part is missing, and random worlds around them.
//!
//! A program calls functions that nobody defines, uses objects of other files, volatile objects, devices, callbacks,
//! constructors and weak names. Its world defines what is missing: it returns anything, writes whatever it may write (what
//! it is given, what it was given earlier, globals), calls back and calls functions of the program. What a run comes to is
//! told by marks in the text, and what is undefined by sanitizers, so that nothing of Quipu takes part.
//!
//! A run also tells by which kinds of *departures* it came somewhere: what it did before that assumptions may say is not
//! done. If a verdict holds only under assumptions of some kinds, no run without departures of these kinds may refute it.
//!
//! Left out: threads, `setjmp`, floating-point state, signals; `const` is never cast away, and effective types are kept.

mod features;
mod marks;
mod run;
mod writer;

pub use marks::{Rendered, Spot, SpotKind};
pub use run::{Arena, Report, Seen};
pub use writer::{Program, program};
