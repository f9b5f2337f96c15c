//! Runs of the compiled program.
