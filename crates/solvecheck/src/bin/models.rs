//! Solves random models in every way and reports differences.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quipu_solvecheck::{Case, Difference, Tally, case, check, float_case, loop_case, shrink};

const USAGE: &str = "usage: models [--count N] [--first N] [--seed S] [--kind K] [--save DIR]

  --count N    solve N random models (default 1000)
  --first N    start with model number N (default 0)
  --seed S     the seed that names them (default 1)
  --kind K     integers, floats, or loops (default integers)
  --save DIR   where differing models are saved (default differences)";

/// A model that takes so many seconds is told; after twice as long the run ends.
const SLOW: u64 = 20;

struct Args {
    count: u64,
    first: u64,
    seed: u64,
    case: fn(u64, u64) -> Case,
    save: PathBuf,
}

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)) {
        Ok(args) => match run(&args) {
            Ok(0) => ExitCode::SUCCESS,
            Ok(_) => ExitCode::FAILURE,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::from(2)
            }
        },
        Err(message) => {
            eprintln!("error: {message}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn parse(mut rest: impl Iterator<Item = String>) -> Result<Args, String> {
    let mut args = Args { count: 1000, first: 0, seed: 1, case, save: PathBuf::from("differences") };
    while let Some(flag) = rest.next() {
        let value = rest.next().ok_or(format!("`{flag}` needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("`{value}` is not a number"));
        match flag.as_str() {
            "--count" => args.count = number()?,
            "--first" => args.first = number()?,
            "--seed" => args.seed = number()?,
            "--kind" => {
                args.case = match value.as_str() {
                    "integers" => case,
                    "floats" => float_case,
                    "loops" => loop_case,
                    _ => return Err(format!("`{value}` is no kind of models")),
                }
            }
            "--save" => args.save = PathBuf::from(&value),
            _ => return Err(format!("unknown option `{flag}`")),
        }
    }
    Ok(args)
}

/// The number of models with differences.
fn run(args: &Args) -> io::Result<u64> {
    // Panics are differences like others; they are told with their model.
    std::panic::set_hook(Box::new(|_| ()));
    let watch = Arc::new(Watch::default());
    watch.clone().start();
    let (mut total, mut failed) = (Tally::default(), 0);
    let start = Instant::now();
    for number in args.first..args.first + args.count {
        watch.begin(number);
        let case = (args.case)(args.seed, number);
        let (tally, differences) = check(&case, &watch.interrupt);
        total.add(&tally);
        if !differences.is_empty() {
            failed += 1;
            save(&args.save, args.seed, case, differences)?;
        }
        let done = number - args.first + 1;
        if done.is_multiple_of(if io::stderr().is_terminal() { 100 } else { 5000 }) {
            eprintln!("{done} models, {failed} differ, {:.0} s", start.elapsed().as_secs_f64());
        }
    }
    println!("{total:?}");
    println!("{failed} of {} models differ, seed {}", args.count, args.seed);
    Ok(failed)
}

fn save(folder: &Path, seed: u64, case: Case, differences: Vec<Difference>) -> io::Result<()> {
    let number = case.number;
    for Difference { way, what } in &differences {
        eprintln!("model {number}: {way}: {what}");
    }
    let (smaller, left) = shrink(case, differences);
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("{seed}-{number}.qm"));
    let mut file = std::fs::File::create(&path)?;
    writeln!(file, "# Model {number} of seed {seed}.")?;
    for Difference { way, what } in &left {
        writeln!(file, "# {way}: {what}")?;
    }
    let text = std::panic::catch_unwind(|| quipu_model_text::print(&smaller.specimen.model));
    writeln!(file, "{}solve;", text.unwrap_or_else(|_| "# cannot be printed\n".into()))?;
    eprintln!("saved as {}", path.display());
    Ok(())
}

/// Interrupts a model that takes long, and ends the run if that does not help.
#[derive(Default)]
struct Watch {
    number: AtomicU64,
    seconds: AtomicU64,
    interrupt: Arc<AtomicBool>,
}

impl Watch {
    fn begin(&self, number: u64) {
        self.number.store(number, Ordering::Relaxed);
        self.seconds.store(0, Ordering::Relaxed);
        self.interrupt.store(false, Ordering::Relaxed);
    }

    fn start(self: Arc<Watch>) {
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let seconds = self.seconds.fetch_add(1, Ordering::Relaxed);
                let number = self.number.load(Ordering::Relaxed);
                if seconds == SLOW {
                    eprintln!("model {number}: takes more than {SLOW} s: interrupted");
                    self.interrupt.store(true, Ordering::Relaxed);
                }
                if seconds == 2 * SLOW {
                    eprintln!("model {number}: does not react to an interrupt");
                    std::process::exit(3);
                }
            }
        });
    }
}
