//! Exit codes, as documented in the README.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// It did what it should, and found nothing wrong with the program.
    Fine,
    /// The program misbehaves: undefined behaviour, a failed assertion, an abort.
    Finding,
    /// The command line or a file is wrong.
    BadInput,
    /// No answer within the limits, or a construct without a model.
    GaveUp,
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Finding => 1,
            Exit::BadInput => 2,
            Exit::GaveUp => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
