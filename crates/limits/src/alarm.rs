//! A flag that ends work early, and says why. Whoever works looks only at this; others look at clocks.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

/// Why work has to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The user wants it.
    Interrupted,
    /// The time is over.
    Time,
    /// There is no more memory.
    Memory,
}

/// Raised once, for the cause that comes first. Clones are the same alarm.
#[derive(Clone, Debug, Default)]
pub struct Alarm {
    raised: Arc<AtomicBool>,
    cause: Arc<AtomicU8>,
}

impl Alarm {
    /// One that nobody raises.
    pub fn never() -> &'static Alarm {
        static NEVER: OnceLock<Alarm> = OnceLock::new();
        NEVER.get_or_init(Alarm::default)
    }

    /// Lets the work go on, or other work begin. For whoever raises it.
    pub fn lower(&self) {
        self.raised.store(false, Ordering::SeqCst);
        self.cause.store(0, Ordering::SeqCst);
    }

    /// Ends the work of everybody who looks here.
    pub fn raise(&self, cause: Cause) {
        let code = match cause {
            Cause::Interrupted => 1,
            Cause::Time => 2,
            Cause::Memory => 3,
        };
        // The first cause stays; who sees the flag finds it.
        let _ = self.cause.compare_exchange(0, code, Ordering::SeqCst, Ordering::SeqCst);
        self.raised.store(true, Ordering::SeqCst);
    }

    /// Why the work has to end, if it has to.
    pub fn cause(&self) -> Option<Cause> {
        if !self.is_raised() {
            return None;
        }
        match self.cause.load(Ordering::SeqCst) {
            1 => Some(Cause::Interrupted),
            2 => Some(Cause::Time),
            _ => Some(Cause::Memory),
        }
    }

    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// The bare flag, for those who do not ask why.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.raised.clone()
    }
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Cause::Interrupted => "the work was interrupted",
            Cause::Time => "the time is over",
            Cause::Memory => "the memory is used up",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cause_stays() {
        let alarm = Alarm::default();
        assert_eq!((alarm.cause(), alarm.is_raised()), (None, false));
        let other = alarm.clone();
        other.raise(Cause::Memory);
        other.raise(Cause::Time);
        assert_eq!(alarm.cause(), Some(Cause::Memory));
        assert!(alarm.flag().load(Ordering::Relaxed));
        alarm.lower();
        other.raise(Cause::Time);
        assert_eq!(alarm.cause(), Some(Cause::Time));
    }
}
