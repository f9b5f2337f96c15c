//! `quipu solve`: the questions of a constraint model, answered one after the other.

mod answer;
mod floats;
mod json;
mod progress;
mod text;

use std::io::Read;
use std::path::Path;

use quipu_model::{Body, Model, WrittenBodies};
use quipu_model_text::{Document, Query, QueryKind, Strategy, parse, print_document, render, smtlib};
use quipu_solve::{Linear, Options, Session};

use crate::args::{Part, Solve};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::load::complain;
use crate::render;
use crate::talk;
use answer::{Answer, ask};

/// Answers the questions of a file.
pub fn solve(solve: &Solve) -> Exit {
    match try_solve(solve) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_solve(solve: &Solve) -> Result<Exit, Exit> {
    let name = solve.file.display().to_string();
    let source = read(&solve.file)?;
    let document = parse(&source).map_err(|problems| {
        problems.iter().for_each(|problem| talk::tell(&render(problem, &source, &name)));
        Exit::BadInput
    })?;
    if solve.print {
        render::print(&print_document(&document));
        return Ok(Exit::Fine);
    }
    if solve.smtlib {
        let text = smtlib(&document.model).map_err(|problem| complain(&format!("error: {problem}")))?;
        render::print(&text);
        return Ok(Exit::Fine);
    }
    require_bodies(&document.model)?;
    if document.queries.is_empty() {
        eprintln!("{name}: the model asks nothing; end it with `solve;`, `all;`, `count;` or `propagate;`");
    }
    Ok(answer_all(solve, &name, &source, &document))
}

fn answer_all(solve: &Solve, name: &str, source: &str, document: &Document) -> Exit {
    let interrupt = Interrupt::install();
    let mut exit = Exit::Fine;
    let mut answers = Vec::new();
    for query in &document.queries {
        let line = 1 + source[..query.span.start].matches('\n').count();
        let heading = format!("{name}:{line}: {}", &source[query.span.clone()].trim_end_matches(';'));
        if !solve.json {
            render::print(&heading);
        }
        let mut session = session(solve, document, query, &interrupt);
        interrupt.start_clock(solve.timeout);
        let tell = |text: &str| {
            if !solve.json {
                render::print(text)
            }
        };
        let answer = ask(&mut session, document, query, &interrupt, &tell);
        interrupt.stop_clock();
        if solve.stats {
            eprintln!("{heading}: {}", text::effort(&session.report()));
        }
        if !answer.is_complete() {
            exit = Exit::GaveUp;
        }
        tell(&text::answer(document, query, &answer));
        answers.push(json::answer(document, query, line, &answer, &session.report()));
        if interrupt.by_user() {
            break;
        }
    }
    if solve.json {
        render::print(&json::document(name, answers));
    }
    exit
}

fn session(solve: &Solve, document: &Document, query: &Query, interrupt: &Interrupt) -> Session<'static> {
    let mut model = document.model.clone();
    model.truncate_assertions(query.n_assertions);
    let uses = |part: Part| !solve.without.contains(&part);
    let options = Options {
        strategy: strategy(query.strategy),
        effort: solve.effort,
        unfoldings: solve.unfold,
        rewrite: uses(Part::Rewriting),
        search: uses(Part::Search),
        sat: uses(Part::Sat),
        linear: if uses(Part::Linear) { Linear::Adaptive } else { Linear::Never },
        interrupt: interrupt.flag(),
        ..Options::default()
    };
    Session::new(model, &WrittenBodies, options)
}

fn strategy(strategy: Option<Strategy>) -> quipu_solve::Strategy {
    use quipu_solve::Strategy as To;
    match strategy {
        None | Some(Strategy::Default) => To::Learned,
        Some(Strategy::FirstFail) => To::FirstFail,
        Some(Strategy::MostConstrained) => To::MostConstrained,
        Some(Strategy::Split) => To::Split,
        Some(Strategy::SmallFirst) => To::SmallFirst,
        Some(Strategy::BoundaryFirst) => To::BoundaryFirst,
        Some(Strategy::Random(seed)) => To::Random(seed),
    }
}

fn read(path: &Path) -> Result<String, Exit> {
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|read| bytes = read)
    };
    result.map_err(|error| complain(&format!("error: cannot read `{}`: {error}", path.display())))?;
    String::from_utf8(bytes).map_err(|error| {
        let line =
            1 + error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        complain(&format!("error: {}:{line}: the file is not UTF-8 text", path.display()))
    })
}

/// A relation that is only declared has no meaning here.
fn require_bodies(model: &Model) -> Result<(), Exit> {
    match model.relations().iter().find(|relation| matches!(relation.body, Body::Supplied { .. })) {
        None => Ok(()),
        Some(relation) => Err(complain(&format!(
            "error: relation `{}` has no body\nhint: give it one, `rel {}(...) {{ ... }}`",
            relation.name, relation.name
        ))),
    }
}

impl Answer {
    /// Whether the question is answered.
    fn is_complete(&self) -> bool {
        self.stopped().is_none()
    }
}

/// Kinds of questions whose solutions are told as they are found.
fn lists_solutions(kind: QueryKind) -> bool {
    kind == QueryKind::All
}
