//! Ctrl-C and the clock: both raise the flag that the solvers look at.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::worker::journal::VARIABLE;

/// What can interrupt an answer.
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    by_user: Arc<AtomicBool>,
    /// Dropping it stops the clock.
    clock: Mutex<Option<Sender<()>>>,
}

impl Interrupt {
    /// From now on the first Ctrl-C ends the present answer, with what is known; the second ends the program.
    pub fn install() -> Interrupt {
        let (flag, by_user) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (raised, told) = (flag.clone(), by_user.clone());
        let handler = move || {
            // Whoever supervises counts, and ends everything if need be.
            if told.swap(true, Ordering::Relaxed) && std::env::var_os(VARIABLE).is_none() {
                std::process::exit(130);
            }
            raised.store(true, Ordering::Relaxed);
        };
        if ctrlc::set_handler(handler).is_err() {
            eprintln!("warning: Ctrl-C will end the program without an answer");
        }
        Interrupt { flag, by_user, clock: Mutex::new(None) }
    }

    /// As if the user had interrupted.
    pub fn raise(&self) {
        self.by_user.store(true, Ordering::Relaxed);
        self.flag.store(true, Ordering::Relaxed);
    }

    pub fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }

    pub fn by_user(&self) -> bool {
        self.by_user.load(Ordering::Relaxed)
    }

    /// Raises the flag after some seconds, unless the clock is stopped before.
    pub fn start_clock(&self, seconds: Option<f64>) {
        let Some(seconds) = seconds.filter(|seconds| *seconds >= 0.0 && seconds.is_finite()) else { return };
        let (sender, receiver) = channel::<()>();
        let flag = self.flag.clone();
        std::thread::spawn(move || {
            if receiver.recv_timeout(Duration::from_secs_f64(seconds.min(1e9)))
                == Err(RecvTimeoutError::Timeout)
            {
                flag.store(true, Ordering::Relaxed);
            }
        });
        *self.clock.lock().expect("the clock is used by one thread") = Some(sender);
    }

    /// Stops the clock; only Ctrl-C stays in force.
    pub fn stop_clock(&self) {
        *self.clock.lock().expect("the clock is used by one thread") = None;
        if !self.by_user() {
            self.flag.store(false, Ordering::Relaxed);
        }
    }
}
