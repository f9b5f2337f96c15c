//! `quipu reach`: inputs for one place.

mod answer;
mod place;

use quipu_cover::{Located, Next, Options, Place, Subject, confirm, cover};
use quipu_inputs::Inputs;
use quipu_replay::{Replayer, Witness};

use crate::args::Reach;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::load;
use crate::search::{self, Loaded, Tested};
use answer::{Answer, Domains, Listed};

/// Answers what is asked about the place.
pub fn reach(args: &Reach) -> Exit {
    match try_reach(args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_reach(args: &Reach) -> Result<Exit, Exit> {
    let interrupt = Interrupt::install();
    let (file, location) = place::parse(&args.place).map_err(|message| load::complain(&message))?;
    let named: Vec<String> = args.function.iter().cloned().collect();
    let loaded = search::load(std::slice::from_ref(&file), &args.flags, &args.search, &named)?;
    let located = place::find(&loaded, &file, &location)?;
    let func = match &args.function {
        Some(name) => search::testable(&loaded, name)?,
        None => located.func,
    };
    let mut options = search::options(&args.search, interrupt.flag())?;
    if args.search.turns.is_some() {
        // Random inputs and simpler ones may take more turns than allowed.
        (options.runs, options.shrink) = (0, false);
    }
    let tested = search::tested(&loaded, &[func], &options)?.remove(0);
    search::warn_about_null(&loaded, &tested.subject);
    let (subject, options) = (&tested.subject, &tested.options);
    let answer = if args.domains {
        domains(&loaded, subject, &located, options)
    } else if args.count || args.all || args.max.is_some() {
        list(&loaded, subject, &located, options, args)
    } else {
        one(&loaded, &tested, located, args)?
    };
    answer.print(&loaded, subject, args);
    Ok(answer.exit(subject))
}

fn domains(loaded: &Loaded, subject: &Subject, located: &Located, options: &Options) -> Answer {
    let mut place = Place::new(&loaded.program, subject, &located.goals, located.goal, options);
    Answer::Domains(Domains { domains: place.domains(), bounded: place.is_bounded() })
}

/// Inputs one after the other.
fn list(loaded: &Loaded, subject: &Subject, located: &Located, options: &Options, args: &Reach) -> Answer {
    let most = args.max.unwrap_or(u64::MAX);
    let mut place = Place::new(&loaded.program, subject, &located.goals, located.goal, options);
    let mut inputs: Vec<Inputs> = Vec::new();
    let (mut count, mut complete) = (0, false);
    while count < most {
        match place.another() {
            Next::Found(found) => {
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
fn one(loaded: &Loaded, tested: &Tested<'_>, located: Located, args: &Reach) -> Result<Answer, Exit> {
    let Located { goals, goal, .. } = located;
    let (subject, options) = (&tested.subject, &tested.options);
    let mut report = cover(&loaded.program, subject, goals, &[goal], options)
        .map_err(|_| search::explain_contradiction(loaded, tested))?;
    let interfaces = [subject.interface.clone()];
    let setup = search::replay_setup(loaded, &interfaces, &args.search);
    match Replayer::build(&setup) {
        Ok(mut replayer) => {
            let mut witness = Witness::new(setup);
            confirm(&loaded.program, &mut replayer, &mut witness, 0, subject, &mut report, options);
        }
        Err(error) => {
            eprintln!("error: the program cannot be compiled with probes, so no input is confirmed\n{error}");
            report.withdraw("the program was not compiled");
        }
    }
    Ok(Answer::One { report: Box::new(report), goal })
}
