//! One worker from its start to its end, watched from outside: it may not take more than the limits say, whether it
//! looks at them or not.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use quipu_cover::Reason;
use quipu_limits::{Usage, ask_to_end, cpu_of, descendants, end_process, end_session};

use super::interruption::Interruption;
use crate::worker::LEAVES;
use crate::worker::journal::{Entry, Journal, Phase};
use crate::worker::limits::RunLimits;

/// The first and the longest pause between two looks.
const FIRST_PAUSE: Duration = Duration::from_micros(500);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
/// Between two looks at the processes that a worker has started.
const FAMILY_PAUSE: Duration = Duration::from_millis(100);
/// So long after an interruption a worker that still searches is ended, so that another one can tell what was found.
const SEARCH_AFTER_INTERRUPTION: Duration = Duration::from_millis(700);
/// So long after an interruption nothing more is told.
const ALL_AFTER_INTERRUPTION: Duration = Duration::from_millis(1900);
/// Exit codes that mean what the documentation says.
const KNOWN_CODES: std::ops::RangeInclusive<i32> = 0..=3;

/// How a worker ended.
pub enum Ended {
    /// With an exit code of its own.
    Well(i32),
    /// It wants a fresh one to go on.
    Left,
    /// It was ended, or crashed.
    Died { phase: Phase, reason: Reason, cpu: Duration },
    /// The user wants everything to end at once.
    Abandoned,
}

/// A worker, and what is known about it from outside.
pub struct Watching<'a> {
    pub child: Child,
    pub journal: &'a mut Journal,
    pub limits: &'a RunLimits,
    pub interruption: &'a Interruption,
    /// What the workers before have used.
    pub before: Duration,
    phase: Phase,
    /// What this one had used when the phase began.
    phase_start: Duration,
    used: Duration,
    /// What processes use that it has started and that have not ended yet.
    family: Duration,
    family_seen: Instant,
    /// Whether it was asked to end.
    told: bool,
}

impl<'a> Watching<'a> {
    pub fn new(
        child: Child,
        journal: &'a mut Journal,
        limits: &'a RunLimits,
        interruption: &'a Interruption,
        before: Duration,
    ) -> Watching<'a> {
        Watching {
            child,
            journal,
            limits,
            interruption,
            before,
            phase: Phase::Load,
            phase_start: Duration::ZERO,
            used: Duration::ZERO,
            family: Duration::ZERO,
            family_seen: Instant::now(),
            // Who is started after an interruption reads of it in the journal.
            told: interruption.since().is_some(),
        }
    }

    /// Waits for its end, or ends it.
    pub fn watch(mut self) -> Ended {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return self.ended(status),
                Ok(None) => {}
                Err(error) => return self.end(Reason::Crash(error.to_string())),
            }
            if self.interruption.count() > 1 {
                self.stop();
                return Ended::Abandoned;
            }
            if let Some(reason) = self.trouble() {
                return self.end(reason);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Why the worker must be ended.
    fn trouble(&mut self) -> Option<Reason> {
        if let Some(since) = self.interruption.since() {
            if !std::mem::replace(&mut self.told, true) {
                ask_to_end(self.child.id());
            }
            self.read();
            let most = match self.phase {
                Phase::Search(_) => SEARCH_AFTER_INTERRUPTION,
                _ => ALL_AFTER_INTERRUPTION,
            };
            if since.elapsed() > most {
                return Some(Reason::Interrupted);
            }
        }
        let usage = Usage::of_process(self.child.id())?;
        self.used = usage.cpu;
        if usage.memory > self.limits.memory {
            return Some(Reason::Memory);
        }
        self.look_at_family();
        let used = self.used + self.family;
        let is_over = used.saturating_sub(self.phase_start) > self.limits.most(self.phase)
            || self.phase != Phase::Print && self.budget().is_some_and(|budget| self.before + used > budget);
        if is_over {
            // It may have gone on to something else meanwhile.
            let phase = self.phase;
            self.read();
            return (self.phase == phase).then_some(Reason::Time);
        }
        None
    }

    /// A worker that takes over behind the end of the budget only tells what is known.
    fn budget(&self) -> Option<Duration> {
        let hard = self.limits.hard_budget()?;
        if self.before < hard { Some(hard) } else { self.limits.last_budget() }
    }

    /// What the worker has started may use as much memory as itself, and its time counts.
    fn look_at_family(&mut self) {
        if self.family_seen.elapsed() < FAMILY_PAUSE {
            return;
        }
        self.read();
        let family = match self.phase {
            Phase::Search(_) => Vec::new(),
            _ => descendants(self.child.id()),
        };
        self.family = cpu_of(&family);
        for process in family {
            if Usage::of_process(process).is_some_and(|usage| usage.memory > self.limits.memory) {
                end_process(process);
            }
        }
        self.family_seen = Instant::now();
    }

    /// Reads what the worker is doing.
    fn read(&mut self) {
        for entry in self.journal.news() {
            if let Entry::Begins { phase, cpu } = entry {
                self.phase = phase;
                self.phase_start = Duration::try_from_secs_f64(cpu).unwrap_or_default();
            }
        }
    }

    fn ended(mut self, status: ExitStatus) -> Ended {
        // What it has started does not outlive it.
        end_session(self.child.id());
        self.read();
        match (status.code(), status.signal()) {
            (Some(LEAVES), _) => Ended::Left,
            (Some(code), _) if KNOWN_CODES.contains(&code) => Ended::Well(code),
            (Some(101), _) => self.died(Reason::Crash("a panic".to_string())),
            (Some(code), _) => self.died(Reason::Crash(format!("exit code {code}"))),
            // It was asked to end before it could listen.
            (None, Some(2)) if self.interruption.since().is_some() => self.died(Reason::Interrupted),
            (None, Some(9)) if self.interruption.since().is_none() => {
                // Nobody here has killed it: the system does so when memory runs out.
                self.died(Reason::Memory)
            }
            (None, signal) => self.died(Reason::Crash(signal_text(signal.unwrap_or(0)))),
        }
    }

    /// Ends the worker.
    fn end(mut self, reason: Reason) -> Ended {
        self.stop();
        self.read();
        self.died(reason)
    }

    fn stop(&mut self) {
        end_session(self.child.id());
        let _ = self.child.wait();
    }

    fn died(self, reason: Reason) -> Ended {
        let cpu = self.before + self.used + self.family;
        Ended::Died { phase: self.phase, reason, cpu }
    }
}

/// The signals with which broken programs end.
fn signal_text(signal: i32) -> String {
    let name = match signal {
        4 => "illegal instruction",
        6 => "abort",
        7 => "bus error",
        8 => "arithmetic error",
        11 => "segmentation fault",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal}, {name}")
}
