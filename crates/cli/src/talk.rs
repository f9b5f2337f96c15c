//! Messages to people, on standard error. If a command ends without any other answer, they are its answer in JSON.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::exit::Exit;

static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Says why there is no answer, or not all of one.
pub fn tell(message: &str) {
    eprintln!("{message}");
    TOLD.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(message.to_string());
}

/// Notes that something was printed on standard output.
pub fn answered() {
    ANSWERED.store(true, Ordering::SeqCst);
}

/// Whoever asks for JSON gets JSON, also if there is nothing but an error.
pub fn answer_anyway(exit: Exit) {
    if ANSWERED.load(Ordering::SeqCst) {
        return;
    }
    print_error(match exit {
        Exit::BadInput => "input",
        Exit::Fine | Exit::Finding | Exit::GaveUp => "gave-up",
    });
}

/// Prints what was told as a JSON object.
pub fn print_error(kind: &str) {
    print_errors(kind, &TOLD.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
}

/// Prints messages as a JSON object.
pub fn print_errors(kind: &str, messages: &[String]) {
    let error = json!({ "schema": 1, "error": { "kind": kind, "messages": messages } });
    crate::render::print(&format!("{error:#}"));
}
