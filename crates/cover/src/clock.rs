//! What a function may take: CPU time of this process and of what it starts, and memory. Solvers and encoders look only
//! at a flag; the clock raises it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use quipu_encode::Unwinding;
use quipu_limits::{Alarm, Cause, Usage, tolerance};
use quipu_model::{Model, WrittenBodies};
use quipu_solve::{Linear, Session};

use crate::options::Options;
use crate::report::Reason;
use crate::uninitialized::Uninitialized;

/// How often the clock looks.
const TICK: Duration = Duration::from_millis(20);
/// The part of what a limit may be exceeded by in which values are still made simpler.
const SHRINKING_PART: u32 = 4;

/// Raises a flag when the time is over or the memory used up, or when the user interrupts.
pub(crate) struct Clock {
    ends: Ends,
    alarm: Alarm,
    by_user: Arc<AtomicBool>,
    /// Dropping it ends the thread.
    _running: Sender<()>,
}

/// When a clock stops.
#[derive(Clone, Copy)]
struct Ends {
    /// The CPU time of this process then.
    cpu: Duration,
    /// The bytes that this process holds then.
    memory: Option<u64>,
}

impl Clock {
    /// A clock that starts now.
    pub fn start(options: &Options) -> Clock {
        let end = Usage::now().cpu + options.time;
        let cpu = options.end.map_or(end, |last| last.min(end));
        Clock::until(Ends { cpu, memory: options.memory }, options)
    }

    /// A clock that stops earlier, when one of `shares` equal parts of the time left is over.
    pub fn share(&self, shares: usize, options: &Options) -> Clock {
        let now = Usage::now().cpu;
        let part = self.ends.cpu.saturating_sub(now) / u32::try_from(shares.max(1)).unwrap_or(u32::MAX);
        Clock::until(Ends { cpu: now + part, ..self.ends }, options)
    }

    /// A clock for what is done with results. It goes on a little longer than this one, and memory does not stop it: the
    /// solvers are gone by then.
    pub fn for_shrinking(&self, options: &Options) -> Clock {
        let cpu = self.ends.cpu + tolerance(options.time) / SHRINKING_PART;
        Clock::until(Ends { cpu, memory: None }, options)
    }

    fn until(ends: Ends, options: &Options) -> Clock {
        let alarm = Alarm::default();
        let (running, stopped) = channel::<()>();
        let (raised, by_user) = (alarm.clone(), options.interrupt.clone());
        let look = move || {
            let Usage { cpu, memory } = Usage::now();
            if by_user.load(Ordering::Relaxed) {
                raised.raise(Cause::Interrupted);
            } else if cpu > ends.cpu {
                raised.raise(Cause::Time);
            } else if ends.memory.is_some_and(|most| memory > most) {
                raised.raise(Cause::Memory);
            }
            raised.is_raised()
        };
        if !look() {
            std::thread::spawn(move || {
                while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) && !look() {}
            });
        }
        Clock { ends, alarm, by_user: options.interrupt.clone(), _running: running }
    }

    /// A session that stops with the clock, and after the effort that one question may take.
    pub fn session<'m>(&self, model: Model, options: &Options) -> Session<'m> {
        let solver_options =
            quipu_solve::Options { interrupt: self.alarm.flag(), ..options.approach.options() };
        let mut session = Session::new(model, WrittenBodies, solver_options);
        session.set_effort(Some(options.effort));
        session
    }

    /// A session in which SAT works alone, on terms as they are, with this effort for each question.
    pub fn session_of_sat_alone<'m>(&self, model: Model, effort: u64) -> Session<'m> {
        let solver_options = quipu_solve::Options {
            rewrite: false,
            search: false,
            linear: Linear::Never,
            interrupt: self.alarm.flag(),
            ..quipu_solve::Options::default()
        };
        let mut session = Session::new(model, WrittenBodies, solver_options);
        session.set_effort(Some(effort));
        session
    }

    /// An encoding for these options that is cut short when the clock stops.
    pub fn unwinding(&self, options: &Options) -> Unwinding {
        Unwinding {
            to_the_end: !options.checks(),
            indeterminate: options.uninitialized == Uninitialized::Any,
            interrupt: self.alarm.flag(),
            ..Unwinding::default()
        }
    }

    /// Why the work has to stop, if it has to.
    pub fn stopped(&self) -> Option<Reason> {
        if self.by_user.load(Ordering::Relaxed) {
            return Some(Reason::Interrupted);
        }
        self.alarm.cause().map(Reason::from)
    }
}

impl From<Cause> for Reason {
    fn from(cause: Cause) -> Reason {
        match cause {
            Cause::Interrupted => Reason::Interrupted,
            Cause::Time => Reason::Time,
            Cause::Memory => Reason::Memory,
        }
    }
}
