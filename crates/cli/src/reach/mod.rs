//! `quipu reach`: inputs for one place.

mod answer;
mod place;

use quipu_cover::{Located, Next, Place, cover_deeply};
use quipu_inputs::Inputs;

use crate::args::Reach;
use crate::exit::Exit;
use crate::load;
use crate::search::{self, Loaded, Tested};
use crate::talk;
use crate::worker::Worker;
use crate::worker::journal::Phase;
use answer::{Answer, Domains, Listed};

/// Answers what is asked about the place.
pub fn reach(args: &Reach) -> Exit {
    match try_reach(args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_reach(args: &Reach) -> Result<Exit, Exit> {
    let worker = Worker::new(&args.search);
    let (file, location) = place::parse(&args.place).map_err(|message| load::complain(&message))?;
    let named: Vec<String> = args.function.iter().cloned().collect();
    let loaded = search::load(std::slice::from_ref(&file), &args.flags, &args.search, &named)?;
    let located = place::find(&loaded, &file, &location)?;
    let func = match &args.function {
        Some(name) => search::testable(&loaded, name)?,
        None => located.func,
    };
    let mut options = search::options(&args.search, &worker);
    if args.search.turns.is_some() {
        // Random inputs and simpler ones may take more turns than allowed.
        (options.runs, options.shrink) = (0, false);
    }
    let mut tested = search::tested(&loaded, &[func], &options, |_| false)?.remove(0);
    search::warn_about_null(&loaded, &tested.subject);
    let answer = if args.domains {
        domains(&loaded, &tested, &located, &worker)?
    } else if args.count || args.all || args.max.is_some() {
        list(&loaded, &tested, &located, args, &worker)
    } else {
        one(&loaded, &mut tested, located, args, &worker)?
    };
    worker.print(&answer.text(&loaded, &tested.subject, args));
    Ok(answer.exit(&tested.subject))
}

fn domains(loaded: &Loaded, tested: &Tested<'_>, located: &Located, worker: &Worker) -> Result<Answer, Exit> {
    if worker.begin(Phase::Search(0)).is_some() {
        talk::tell("error: propagation took too much, or crashed");
        return Err(Exit::GaveUp);
    }
    let (subject, options) = (&tested.subject, &tested.options);
    let mut place = Place::new(&loaded.program, subject, &located.goals, located.goal, options);
    Ok(Answer::Domains(Domains { domains: place.domains(), bounded: place.is_bounded() }))
}

/// Inputs one after the other.
fn list(loaded: &Loaded, tested: &Tested<'_>, located: &Located, args: &Reach, worker: &Worker) -> Answer {
    if let Some(found) = worker.found_before() {
        let count = found.len() as u64;
        let inputs = if args.count { Vec::new() } else { found };
        return Answer::Listed(Listed { inputs, count, complete: false, bounded: false, stopped: true });
    }
    worker.begin(Phase::Search(0));
    let (subject, options) = (&tested.subject, &tested.options);
    let most = args.max.unwrap_or(u64::MAX);
    let mut place = Place::new(&loaded.program, subject, &located.goals, located.goal, options);
    let mut inputs: Vec<Inputs> = Vec::new();
    let (mut count, mut complete) = (0, false);
    while count < most {
        match place.another() {
            Next::Found(found) => {
                worker.found(&found);
                count += 1;
                if !args.count {
                    inputs.push(found);
                }
            }
            Next::Done => {
                complete = true;
                break;
            }
            Next::GaveUp => break,
        }
    }
    Answer::Listed(Listed {
        inputs,
        count,
        complete,
        bounded: place.is_bounded(),
        stopped: count < most && !complete,
    })
}

/// One test, confirmed on the compiled program, or the reason why there is none.
fn one<'l>(
    loaded: &'l Loaded,
    tested: &mut Tested<'l>,
    located: Located,
    args: &Reach,
    worker: &Worker,
) -> Result<Answer, Exit> {
    let Located { goals, goal, .. } = located;
    let report = worker.function(0, tested, |tested| {
        cover_deeply(&loaded.program, &mut tested.subject, goals, &[goal], &tested.options)
            .map_err(|_| search::explain_contradiction(loaded, tested))
    })?;
    let mut reports = [report];
    search::replay(loaded, std::slice::from_ref(tested), &mut reports, &args.search, worker);
    let [report] = reports;
    Ok(Answer::One { report: Box::new(report), goal })
}
