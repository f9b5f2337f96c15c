//! What is found out about a function, told as soon as it is, so that it outlives the process that found it; and how a
//! later process goes on from there (ADR 30).

use std::collections::BTreeMap;
use std::sync::Arc;

use quipu_cfront::Program;
use quipu_goals::{BitSet, GoalId, Goals};
use quipu_inputs::{Assumption, Deeper, Inputs};
use serde::{Deserialize, Serialize};

use crate::cover::{observe, verdicts_of};
use crate::options::Options;
use crate::pool::Found;
use crate::report::{FunctionReport, PathReport, Reason, Spare, Statistics, Undefined, Verdict};
use crate::subject::{Bench, Subject, gates};

/// Something that was found out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum News {
    /// A test that was worth keeping.
    Found(Found),
    /// A verdict on a goal that holds for good, and what it takes for granted about the world outside.
    Decided { goal: GoalId, verdict: Verdict, granted: Vec<Assumption> },
    /// From here on there is more room in the inputs. Tests are told once more.
    Deepened(Deeper),
}

/// Who is told.
type Listener = dyn Fn(News) + Send + Sync;

/// Tells somebody what is found out, if anybody listens.
#[derive(Clone, Default)]
pub struct Record {
    listener: Option<Arc<Listener>>,
}

impl Record {
    /// Tells everything to `listener`.
    pub fn new(listener: impl Fn(News) + Send + Sync + 'static) -> Record {
        Record { listener: Some(Arc::new(listener)) }
    }

    /// Tells something, if anybody listens.
    pub(crate) fn tell(&self, news: impl FnOnce() -> News) {
        if let Some(listener) = &self.listener {
            listener(news());
        }
    }
}

impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record").field("listens", &self.listener.is_some()).finish()
    }
}

/// Where the work on a function starts.
#[derive(Clone, Debug, Default)]
pub enum Start {
    #[default]
    Afresh,
    /// It was ended from outside: this is what was known by then, and there will be no more.
    Broken(Arc<Known>),
    /// It was finished before.
    Finished(Arc<Saved>),
}

impl Start {
    pub(crate) fn is_afresh(&self) -> bool {
        matches!(self, Start::Afresh)
    }

    /// How much more room than usual there was in the inputs in the end.
    pub(crate) fn deeper(&self) -> Option<&Deeper> {
        match self {
            Start::Afresh => None,
            Start::Finished(saved) => Some(&saved.deeper),
            Start::Broken(known) => known.news.iter().rev().find_map(|news| match news {
                News::Deepened(deeper) => Some(deeper),
                News::Found(_) | News::Decided { .. } => None,
            }),
        }
    }
}

/// What was known about a function when the work on it was ended.
#[derive(Clone, Debug)]
pub struct Known {
    pub news: Vec<News>,
    /// Why it was ended.
    pub reason: Reason,
}

/// What is known about a function, without what follows from that.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Saved {
    tests: Vec<SavedTest>,
    spare: Vec<Spare>,
    proved: BTreeMap<GoalId, Verdict>,
    paths: Vec<PathReport>,
    assumptions: Vec<Assumption>,
    deeper: Deeper,
    always_undefined: Option<Undefined>,
    minimal: bool,
    notes: Vec<String>,
    statistics: Statistics,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedTest {
    inputs: Inputs,
    items: BitSet,
    path: Option<usize>,
}

impl Saved {
    /// What is to be kept of a report whose tests are not replayed yet.
    pub fn of(report: &FunctionReport) -> Saved {
        let tests = report.tests.iter().map(|test| SavedTest {
            inputs: test.inputs.clone(),
            items: test.items.clone(),
            path: test.path,
        });
        Saved {
            tests: tests.collect(),
            spare: report.spare.clone(),
            proved: report.proved.clone(),
            paths: report.paths.clone(),
            assumptions: report.interface.assumptions.iter().cloned().collect(),
            deeper: report.interface.deeper.clone(),
            always_undefined: report.always_undefined,
            minimal: report.minimal,
            notes: report.notes.clone(),
            statistics: report.statistics,
        }
    }

    /// The report once more.
    pub(crate) fn report(
        &self,
        program: &Program,
        subject: &Subject,
        goals: Goals,
        options: &Options,
    ) -> FunctionReport {
        let gates = gates(subject);
        let mut bench = Bench::new(&program.module, subject, &gates, options);
        let restored = |saved: &SavedTest| {
            let mut test = observe(program, &mut bench, &saved.inputs, &saved.items);
            test.path = saved.path;
            test
        };
        let mut tests: Vec<_> = self.tests.iter().map(restored).collect();
        let verdicts = verdicts_of(&goals, &mut tests, &self.proved, &Reason::Disagreement);
        let mut interface = subject.interface.clone();
        self.assumptions.iter().for_each(|one| {
            interface.assume(one.clone());
        });
        FunctionReport {
            func: interface.func,
            interface,
            goals,
            verdicts,
            paths: self.paths.clone(),
            tests,
            disagreements: Vec::new(),
            spare: self.spare.clone(),
            proved: self.proved.clone(),
            always_undefined: self.always_undefined,
            minimal: self.minimal,
            notes: self.notes.clone(),
            statistics: self.statistics,
        }
    }
}
