//! Leaving the program: `exit` and its relatives, and the functions to be called then.
//!
//! What `exit` calls, and a return from `main`, is called where the run has ended (`machine.rs`).

use super::signals;
use super::state::ExitHandler;
use super::{Call, Table};
use crate::outcome::{Fallible, Stop};

pub(super) const FUNCTIONS: Table = &[
    ("exit", |call| Err(Box::new(Stop::Exit(call.int(0))))),
    ("_Exit", exit_at_once),
    ("_exit", exit_at_once),
    ("quick_exit", quick_exit),
    ("abort", abort),
    ("__builtin_trap", |_| Err(Box::new(Stop::Abort))),
    ("atexit", at_exit),
    ("quipu_at_end", at_exit),
    ("on_exit", on_exit),
    ("at_quick_exit", at_quick_exit),
];

fn exit_at_once(call: &mut Call<'_, '_>) -> Fallible<u64> {
    call.world.library.exit_handlers.clear();
    Err(Box::new(Stop::Exit(call.int(0))))
}

/// C17 7.22.4.7p3: calls what was registered with `at_quick_exit`, and nothing else.
fn quick_exit(call: &mut Call<'_, '_>) -> Fallible<u64> {
    call.world.library.exit_handlers.clear();
    while let Some(handler) = call.world.library.quick_handlers.pop() {
        call.call_back(handler, &[])?;
    }
    exit_at_once(call)
}

/// A handler of SIGABRT runs first; if it comes back, the program ends all the same (C17 7.22.4.1p2).
fn abort(call: &mut Call<'_, '_>) -> Fallible<u64> {
    signals::handle_abort(call)?;
    Err(Box::new(Stop::Abort))
}

fn at_exit(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let handler = ExitHandler::Plain(call.arg(0));
    call.world.library.exit_handlers.push(handler);
    Ok(0)
}

fn on_exit(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let handler = ExitHandler::WithStatus { handler: call.arg(0), argument: call.arg(1) };
    call.world.library.exit_handlers.push(handler);
    Ok(0)
}

fn at_quick_exit(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let handler = call.arg(0);
    call.world.library.quick_handlers.push(handler);
    Ok(0)
}
