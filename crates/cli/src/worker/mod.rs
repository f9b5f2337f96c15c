//! The process that does the work, as one of several that follow each other (ADR 30).
//!
//! What it finds goes into a journal. If it ends before its time, another one takes over: functions that were finished
//! are taken from the journal, the one that was being worked on is left at what was found, and the rest is done as if
//! nothing had happened.

pub mod journal;
pub mod limits;
mod watch;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quipu_cover::{Found, FunctionReport, Known, News, Options, Reason, Record, Saved, Start, Verdict};
use quipu_goals::BitSet;
use quipu_inputs::Inputs;
use quipu_limits::Usage;

use crate::args::Search;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::render;
use crate::search::Tested;
use crate::talk;
use journal::{Entry, Journal, Phase};
use limits::RunLimits;
use watch::{PATIENCE, Watch};

/// A worker that takes over from one that was interrupted has used up some of the user's patience.
const LITTLE_PATIENCE: Duration = Duration::from_millis(400);
/// The exit code with which a worker asks for a fresh one.
pub const LEAVES: i32 = 75;

/// The process that does the work.
pub struct Worker {
    limits: RunLimits,
    interrupt: Interrupt,
    watch: Watch,
    /// None if nobody supervises.
    journal: Option<Journal>,
    past: Past,
    /// What the search in each function has taken, as far as it was finished.
    searched: Mutex<BTreeMap<usize, Duration>>,
}

/// What earlier workers have left.
#[derive(Default)]
struct Past {
    entries: Vec<Entry>,
    /// What they have used.
    cpu: Duration,
    interrupted: bool,
}

impl Worker {
    /// Takes over where others have left.
    pub fn new(search: &Search) -> Worker {
        let mut journal =
            std::env::var_os(journal::VARIABLE).and_then(|folder| Journal::open(Path::new(&folder)).ok());
        let past = Past::of(journal.as_mut().map(Journal::news).unwrap_or_default());
        let interrupt = Interrupt::install();
        let patience = if past.interrupted { LITTLE_PATIENCE } else { PATIENCE };
        if past.interrupted {
            interrupt.raise();
        }
        let watch = Watch::new(interrupt.flag(), patience);
        let searched = Mutex::new(past.searched());
        let worker = Worker { limits: RunLimits::of(search), interrupt, watch, journal, past, searched };
        worker.begin(Phase::Load);
        worker
    }

    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    pub fn limits(&self) -> RunLimits {
        self.limits
    }

    /// Adds the limits to what the search should do.
    pub fn limit(&self, options: &mut Options) {
        options.interrupt = self.interrupt.flag();
        options.time = self.limits.time;
        options.end = self.limits.search_budget().map(|end| end.saturating_sub(self.past.cpu));
        options.memory = Some(self.limits.search_memory());
    }

    /// Something begins. If it was the end of an earlier worker, says why it should not.
    pub fn begin(&self, phase: Phase) -> Option<Reason> {
        if let Some(reason) = self.past.died_in(phase) {
            return Some(reason);
        }
        let cpu = Usage::now().cpu.as_secs_f64();
        self.add(|| Entry::Begins { phase, cpu });
        let once = self.limits.most(phase);
        if phase == Phase::Build {
            self.watch.allow(self.left().map_or(once, |left| once.min(left)));
        }
        None
    }

    /// The tests of a function are run now.
    pub fn begin_replay(&self, function: usize) -> Option<Reason> {
        let died = self.begin(Phase::Replay(function));
        let searched = self.searched.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // Who was ended has used up everything.
        let most = self.limits.replay(searched.get(&function).copied().unwrap_or(self.limits.time));
        self.watch.allow(self.left().map_or(most, |left| most.min(left)));
        died
    }

    /// Works on the function with this number, or takes what is known about it.
    pub fn function<'l>(
        &self,
        function: usize,
        tested: &mut Tested<'l>,
        work: impl FnOnce(&mut Tested<'l>) -> Result<FunctionReport, Exit>,
    ) -> Result<FunctionReport, Exit> {
        tested.options.start = self.start(function);
        if !matches!(tested.options.start, Start::Afresh) {
            self.begin(Phase::Recall);
            return work(tested);
        }
        tested.options.record = self.record(function);
        self.begin(Phase::Search(function));
        let start = Usage::now().cpu;
        let report = work(tested)?;
        let used = Usage::now().cpu.saturating_sub(start);
        self.searched.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(function, used);
        let cpu = used.as_secs_f64();
        self.add(|| Entry::Finished { function, saved: Box::new(Saved::of(&report)), cpu });
        self.leave_if_full(&report);
        Ok(report)
    }

    /// Writes a file, unless that was the end of an earlier worker.
    pub fn export<T>(&self, write: impl FnOnce() -> T) -> Result<T, Exit> {
        match self.begin(Phase::Export) {
            None => Ok(write()),
            Some(_) => {
                talk::tell("error: the file is not written, as that took too much, or crashed");
                Err(Exit::GaveUp)
            }
        }
    }

    /// Prints the report. From here on nobody else may print another one.
    pub fn print(&self, text: &str) {
        self.begin(Phase::Print);
        render::print(text);
    }

    /// Something was found that leads to the place that is asked about.
    pub fn found(&self, inputs: &Inputs) {
        self.add(|| {
            let found = Found { inputs: inputs.clone(), items: BitSet::default(), clean: true };
            Entry::News { function: 0, news: News::Found(found) }
        });
    }

    /// What was found before the search for inputs that lead to a place was ended, if it was.
    pub fn found_before(&self) -> Option<Vec<Inputs>> {
        self.past.died_in(Phase::Search(0))?;
        let inputs = |news: News| match news {
            News::Found(found) => Some(found.inputs),
            News::Decided { .. } | News::Deepened(_) => None,
        };
        Some(self.past.news(0).into_iter().filter_map(inputs).collect())
    }

    /// Where the work on a function starts.
    fn start(&self, function: usize) -> Start {
        if let Some(saved) = self.past.finished(function) {
            return Start::Finished(Arc::new(saved));
        }
        let reason = self.past.died_in(Phase::Search(function)).or_else(|| self.over());
        match reason {
            Some(reason) => Start::Broken(Arc::new(Known { news: self.past.news(function), reason })),
            None => Start::Afresh,
        }
    }

    /// Why no function is begun any more.
    fn over(&self) -> Option<Reason> {
        if self.interrupt.flag().load(Ordering::Relaxed) {
            return Some(Reason::Interrupted);
        }
        let used = self.past.cpu + Usage::now().cpu;
        self.limits.search_budget().is_some_and(|budget| used >= budget).then_some(Reason::Time)
    }

    /// What is left of the budget.
    fn left(&self) -> Option<Duration> {
        let used = self.past.cpu + Usage::now().cpu;
        self.limits.budget.map(|budget| budget.saturating_sub(used))
    }

    fn record(&self, function: usize) -> Record {
        let Some(journal) = self.journal.clone() else { return Record::default() };
        Record::new(move |news: News| journal.add(&Entry::News { function, news }))
    }

    /// Memory that was needed once is not always given back. The next function should have as much as this one had.
    fn leave_if_full(&self, report: &FunctionReport) {
        let is_full = |verdict: &Verdict| matches!(verdict, Verdict::GaveUp(Reason::Memory));
        let Usage { cpu, memory } = Usage::now();
        if self.journal.is_some() && report.proved.values().any(is_full) && memory > self.limits.memory / 2 {
            self.add(|| Entry::Left { cpu: (self.past.cpu + cpu).as_secs_f64() });
            std::process::exit(LEAVES);
        }
    }

    fn add(&self, entry: impl FnOnce() -> Entry) {
        if let Some(journal) = &self.journal {
            journal.add(&entry());
        }
    }
}

impl Past {
    fn of(entries: Vec<Entry>) -> Past {
        let mut past = Past::default();
        for entry in &entries {
            if let Entry::Died { cpu, .. } | Entry::Left { cpu } = entry {
                past.cpu = Duration::try_from_secs_f64(*cpu).unwrap_or_default();
            }
            past.interrupted |= matches!(entry, Entry::Died { reason: Reason::Interrupted, .. });
        }
        past.entries = entries;
        past
    }

    fn died_in(&self, wanted: Phase) -> Option<Reason> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Died { phase, reason, .. } if *phase == wanted => Some(reason.clone()),
            _ => None,
        })
    }

    fn finished(&self, wanted: usize) -> Option<Saved> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Finished { function, saved, .. } if *function == wanted => Some((**saved).clone()),
            _ => None,
        })
    }

    /// What the search in functions has taken that are finished.
    fn searched(&self) -> BTreeMap<usize, Duration> {
        let taken = |entry: &Entry| match entry {
            Entry::Finished { function, cpu, .. } => {
                Some((*function, Duration::try_from_secs_f64(*cpu).unwrap_or_default()))
            }
            _ => None,
        };
        self.entries.iter().filter_map(taken).collect()
    }

    fn news(&self, wanted: usize) -> Vec<News> {
        let of_it = |entry: &Entry| match entry {
            Entry::News { function, news } if *function == wanted => Some(news.clone()),
            _ => None,
        };
        self.entries.iter().filter_map(of_it).collect()
    }
}
