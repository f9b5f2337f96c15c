//! `signal` and `raise`, with the semantics of glibc's `signal`: a handler stays installed, and its signal waits while
//! it runs.
//!
//! Signals come from `raise` and `abort` only. That others come at any time is left out.

use super::errno::{EINVAL, set_errno};
use super::{Call, Table};
use crate::outcome::{Fallible, Stop, unsupported};

pub(super) const FUNCTIONS: Table = &[("signal", signal), ("raise", raise)];

/// What `signal` takes and returns besides addresses of functions.
const SIG_DFL: u64 = 0;
const SIG_IGN: u64 = 1;
const SIG_ERR: u64 = u64::MAX;

const SIGABRT: i32 = 6;

/// What a signal without a handler does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefaultAction {
    /// It ends the program.
    Ends,
    /// Nothing.
    Nothing,
    /// It stops the program until somebody lets it go on.
    Stops,
}

/// What a signal without a handler does, by its number in Linux; none for what is no signal.
pub fn default_action(number: i64) -> Option<DefaultAction> {
    Some(match number {
        // SIGCHLD, SIGCONT, SIGURG, SIGWINCH.
        17 | 18 | 23 | 28 => DefaultAction::Nothing,
        // SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU.
        19..=22 => DefaultAction::Stops,
        1..=64 => DefaultAction::Ends,
        _ => return None,
    })
}

/// Installs a handler, and tells the one before.
fn signal(call: &mut Call<'_, '_>) -> Fallible<u64> {
    if call.function.name != call.function.source_name {
        return unsupported(format!("`signal`, which is `{}` here", call.function.name));
    }
    let (number, handler) = (call.int(0), call.arg(1));
    // SIGKILL and SIGSTOP cannot be caught, and those that the threads of glibc use are not for programs.
    if default_action(i64::from(number)).is_none() || [9, 19, 32, 33].contains(&number) {
        set_errno(call, EINVAL)?;
        return Ok(SIG_ERR);
    }
    Ok(call.world.library.signals.insert(number, handler).unwrap_or(SIG_DFL))
}

/// C17 7.14.2.1: the handler runs, and `raise` returns behind it.
fn raise(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let number = call.int(0);
    let Some(action) = default_action(i64::from(number)) else {
        set_errno(call, EINVAL)?;
        return Ok(u64::MAX);
    };
    match call.world.library.signals.get(&number).copied().unwrap_or(SIG_DFL) {
        SIG_IGN => Ok(0),
        SIG_DFL => match action {
            DefaultAction::Ends => Err(Box::new(Stop::Abort)),
            DefaultAction::Nothing => Ok(0),
            DefaultAction::Stops => unsupported(format!("signal {number}, which stops the program")),
        },
        handler => {
            handle(call, number, handler)?;
            Ok(0)
        }
    }
}

/// Runs the handler of SIGABRT, if there is one.
pub(super) fn handle_abort(call: &mut Call<'_, '_>) -> Fallible<()> {
    match call.world.library.signals.get(&SIGABRT).copied() {
        None | Some(SIG_DFL | SIG_IGN) => Ok(()),
        Some(handler) if !call.world.library.raised.contains(&SIGABRT) => handle(call, SIGABRT, handler),
        Some(_) => Ok(()),
    }
}

fn handle(call: &mut Call<'_, '_>, number: i32, handler: u64) -> Fallible<()> {
    if call.world.library.raised.contains(&number) {
        return unsupported(format!("signal {number}, raised while its handler runs"));
    }
    call.world.library.raised.push(number);
    call.call_back(handler, &[u64::from(number.cast_unsigned())])?;
    call.world.library.raised.pop();
    Ok(())
}
