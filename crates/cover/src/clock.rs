//! The time that a function has. Solvers and encoders look only at a flag; the clock raises it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use quipu_encode::Unwinding;
use quipu_model::{Model, WrittenBodies};
use quipu_solve::{Linear, Session};

use crate::options::Options;
use crate::report::Reason;

/// How often the clock looks whether the user wants to stop.
const TICK: Duration = Duration::from_millis(20);

/// Raises a flag when the time is over, or when the user interrupts.
pub(crate) struct Clock {
    deadline: Instant,
    flag: Arc<AtomicBool>,
    by_user: Arc<AtomicBool>,
    /// Dropping it ends the thread.
    _running: Sender<()>,
}

impl Clock {
    /// A clock that starts now.
    pub fn start(options: &Options) -> Clock {
        Clock::until(Instant::now() + options.time, options)
    }

    /// A clock that stops earlier, when one of `shares` equal parts of the time left is over.
    pub fn share(&self, shares: usize, options: &Options) -> Clock {
        let now = Instant::now();
        let left = self.deadline.saturating_duration_since(now);
        Clock::until(now + left / u32::try_from(shares.max(1)).unwrap_or(u32::MAX), options)
    }

    fn until(deadline: Instant, options: &Options) -> Clock {
        let flag = Arc::new(AtomicBool::new(false));
        let (running, stopped) = channel::<()>();
        let (raised, by_user) = (flag.clone(), options.interrupt.clone());
        std::thread::spawn(move || {
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if Instant::now() > deadline || by_user.load(Ordering::Relaxed) {
                    raised.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        Clock { deadline, flag, by_user: options.interrupt.clone(), _running: running }
    }

    /// A session that stops with the clock, and after the effort that one question may take.
    pub fn session<'m>(&self, model: Model, options: &Options) -> Session<'m> {
        let solver_options =
            quipu_solve::Options { interrupt: self.flag.clone(), ..options.approach.options() };
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
            interrupt: self.flag.clone(),
            ..quipu_solve::Options::default()
        };
        let mut session = Session::new(model, WrittenBodies, solver_options);
        session.set_effort(Some(effort));
        session
    }

    /// An encoding for these options that is cut short when the clock stops.
    pub fn unwinding(&self, options: &Options) -> Unwinding {
        Unwinding { to_the_end: !options.checks(), interrupt: self.flag.clone(), ..Unwinding::default() }
    }

    /// Why the work has to stop, if it has to.
    pub fn stopped(&self) -> Option<Reason> {
        if self.by_user.load(Ordering::Relaxed) {
            return Some(Reason::Interrupted);
        }
        self.flag.load(Ordering::Relaxed).then_some(Reason::Time)
    }
}
