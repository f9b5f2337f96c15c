//! Differential testing: generated programs on the interpreter and as native code.
//!
//! Programs without undefined behaviour must give the same checksum on both sides and at every optimisation
//! level. Programs with some must stop with the same event at the same line as under the sanitizers.

mod batch;
mod difference;
mod observation;
mod reduce;

pub use difference::Difference;
pub use observation::{Observation, agree};
pub use reduce::{reduce, still_differs};

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::generate::Config;
use batch::Batch;

/// Programs in one file: enough that starting the compiler does not dominate.
const BATCH_SIZE: u64 = 20;

/// What native code is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The front end and the interpreter.
    Interpreter,
    /// The same program under sanitizers: a test of the generator itself.
    Sanitizers,
}

/// A run over many programs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of the first program.
    pub first: u64,
    /// How many programs.
    pub programs: u64,
    /// Names the programs.
    pub seed: u64,
    /// The shape of the programs.
    pub config: Config,
    /// What native code is compared with.
    pub side: Side,
    /// Threads.
    pub workers: usize,
}

/// Runs the programs of a plan and returns the differences by program number. `progress` is told the number
/// of programs done.
///
/// # Errors
///
/// When the compiler or a program cannot be started, or a file cannot be written.
pub fn run(plan: &Plan, progress: &(dyn Fn(u64) + Sync)) -> io::Result<Vec<Difference>> {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let found = Mutex::new(Vec::new());
    let work = || -> io::Result<()> {
        loop {
            let offset = next.fetch_add(BATCH_SIZE, Ordering::Relaxed);
            if offset >= plan.programs {
                return Ok(());
            }
            let size = BATCH_SIZE.min(plan.programs - offset);
            let differences = Batch::generate(plan, plan.first + offset, size).compare()?;
            found.lock().expect("no worker panics while it holds the lock").extend(differences);
            progress(done.fetch_add(size, Ordering::Relaxed) + size);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.workers.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker should not panic"))
    })?;
    let mut differences = found.into_inner().expect("no worker panics while it holds the lock");
    differences.sort_by_key(|difference: &Difference| difference.number);
    Ok(differences)
}
