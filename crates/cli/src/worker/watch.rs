//! The alarm for what comes after the search: compilers and runs of the compiled program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quipu_limits::{Alarm, Cause, Usage};

/// How often the clock looks.
const TICK: Duration = Duration::from_millis(20);
/// Who interrupts waits no longer than this for tests to be confirmed.
pub const PATIENCE: Duration = Duration::from_millis(1000);

/// Raises an alarm when the present work has taken long enough, or some time after the user has interrupted.
pub struct Watch {
    pub alarm: Alarm,
    ends: Arc<Mutex<Duration>>,
    /// Dropping it ends the thread.
    _running: Sender<()>,
}

impl Watch {
    /// Nothing is limited yet. `patience` counts from the interruption.
    pub fn new(interrupt: Arc<AtomicBool>, patience: Duration) -> Watch {
        let (alarm, ends) = (Alarm::default(), Arc::new(Mutex::new(Duration::MAX)));
        let (running, stopped) = channel::<()>();
        let (raised, end) = (alarm.clone(), ends.clone());
        std::thread::spawn(move || {
            let mut interrupted: Option<Instant> = None;
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if interrupt.load(Ordering::Relaxed) {
                    let since = *interrupted.get_or_insert_with(Instant::now);
                    if since.elapsed() > patience {
                        raised.raise(Cause::Interrupted);
                    }
                }
                let end = *end.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                if Usage::with_children().cpu > end {
                    raised.raise(Cause::Time);
                }
            }
        });
        Watch { alarm, ends, _running: running }
    }

    /// From now on, so much CPU time may be taken. Who was interrupted stays so.
    pub fn allow(&self, time: Duration) {
        let mut ends = self.ends.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *ends = Usage::now().cpu.saturating_add(time);
        if time.is_zero() {
            // Not at the next tick: where there are thousands of functions, each of them would have a tick.
            self.alarm.raise(Cause::Time);
        } else if self.alarm.cause() == Some(Cause::Time) {
            self.alarm.lower();
        }
    }
}
