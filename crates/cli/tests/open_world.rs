//! Verdicts on programs of which a part is missing, against runs in random worlds: no goal called unreachable or proved is
//! ever met, none called excluded is met by runs that keep to the assumptions it names, and none is met in a defined run
//! that is said to come only after something undefined.
//!
//! `QUIPU_PROGRAMS` sets how many programs, `QUIPU_FIRST` the seed of the first one, `QUIPU_RUNS` the runs of each,
//! `QUIPU_WORKERS` the threads, `QUIPU_SAVE` a folder for programs that are judged wrongly.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use quipu_testkit::open_world::{Arena, Program, Report, Seen, SpotKind, program};
use serde_json::Value;
use support::{Ran, quipu};

/// Goals of coverage that marks tell about.
const COVERAGE: &str = "cover --json --criterion statement,branch,condition --time 6";
const UNDEFINED: &str = "cover --json --criterion undefined --time 4";
const PROPERTIES: &str = "check --json --ub none --time 4";
/// Undefined behaviours are asked for in one of so many programs: that takes longest.
const RARELY: u64 = 4;

#[test]
fn verdicts_hold_in_random_worlds() {
    let (first, programs) = (number("QUIPU_FIRST", 0), number("QUIPU_PROGRAMS", 8));
    let next = AtomicU64::new(first);
    let total = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..number("QUIPU_WORKERS", 2) {
            scope.spawn(|| {
                let arena = Arena::new().expect("there is a compiler");
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + programs {
                        return;
                    }
                    let tally = attack(&arena, seed);
                    total.lock().expect("no worker panics").add(tally);
                }
            });
        }
    });
    let total = total.into_inner().expect("no worker panics");
    println!("{programs} programs: {total:#?}");
    assert!(total.failures.is_empty(), "{} failures:\n{}", total.failures.len(), total.failures.join("\n"));
    assert!(total.compared["covered"] > 0 && total.met > 0, "nothing was compared: {total:#?}");
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// What was compared, and what was wrong.
#[derive(Default, Debug)]
struct Tally {
    /// Goals and properties by verdict.
    compared: BTreeMap<String, u64>,
    /// How many of them some defined run met.
    met: u64,
    /// Goals that no mark tells about.
    unmarked: u64,
    /// Sessions that ended, that a sanitizer stopped, and that took too long.
    sessions: [u64; 3],
    failures: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (verdict, count) in other.compared {
            *self.compared.entry(verdict).or_default() += count;
        }
        self.met += other.met;
        self.unmarked += other.unmarked;
        self.sessions.iter_mut().zip(other.sessions).for_each(|(sum, count)| *sum += count);
        self.failures.extend(other.failures);
    }
}

/// Judges one program, runs it, and compares.
fn attack(arena: &Arena, seed: u64) -> Tally {
    let program = program(seed);
    let mut tally = Tally::default();
    let seen = match arena.prepare(&program).and_then(|()| arena.attack(seed, number("QUIPU_RUNS", 1000))) {
        Ok(seen) => seen,
        Err(error) => {
            tally.failures.push(format!("program {seed} cannot be attacked: {error}"));
            return tally;
        }
    };
    tally.sessions = seen.sessions;
    if !seen.mistakes.is_empty() {
        tally.failures.push(format!("the world of program {seed} is undefined:\n{}", seen.mistakes));
    }
    let file = arena.file().to_string_lossy().into_owned();
    let mut judge = Judge { program: &program, seen: &seen, tally: &mut tally };
    judge.coverage(&quipu(COVERAGE).arg(&file).runs());
    judge.properties(&quipu(PROPERTIES).arg(&file).runs());
    if seed.is_multiple_of(RARELY) {
        judge.undefined(&quipu(UNDEFINED).arg(&file).runs());
    }
    if !tally.failures.is_empty() {
        for failure in &tally.failures {
            println!("{failure}");
        }
        if let Ok(folder) = std::env::var("QUIPU_SAVE") {
            let kept = arena.save(&std::path::Path::new(&folder).join(seed.to_string()));
            kept.expect("the program can be saved");
        }
    }
    tally
}

/// Compares what is said of a program with its runs.
struct Judge<'a> {
    program: &'a Program,
    seen: &'a Seen,
    tally: &'a mut Tally,
}

/// A goal or property, as a report tells it.
struct Claim<'a> {
    what: String,
    verdict: &'a str,
    needs: &'a Value,
}

impl Judge<'_> {
    fn coverage(&mut self, ran: &Ran) {
        let Some(report) = self.report(ran, &[0, 1, 3]) else { return };
        for goal in list(&report, "functions").iter().flat_map(|function| list(function, "goals")) {
            let claim = claim(goal);
            match self.slot(&report, goal) {
                Some(slot) => {
                    let met = self.seen.met.get(&slot).cloned().unwrap_or_default();
                    self.compare(&claim, &met);
                }
                None => self.tally.unmarked += 1,
            }
        }
    }

    fn properties(&mut self, ran: &Ran) {
        let Some(report) = self.report(ran, &[0, 1, 3]) else { return };
        for property in list(&report, "properties") {
            let spots = self.program.text.spots.iter();
            let line = line(property);
            let mut violated = spots.filter(|spot| spot.line == line && spot.kind == SpotKind::Assertion);
            let Some(spot) = violated.next() else { continue };
            let met = self.seen.met.get(&spot.slot).cloned().unwrap_or_default();
            self.compare(&claim(property), &met);
        }
    }

    /// What sanitizers reported must not be called absent.
    fn undefined(&mut self, ran: &Ran) {
        let Some(report) = self.report(ran, &[0, 1, 3]) else { return };
        let goals: Vec<&Value> =
            list(&report, "functions").iter().flat_map(|function| list(function, "goals")).collect();
        for seen in self.seen.reports.iter().filter(|seen| !seen.late) {
            let Some(events) = events(seen) else { continue };
            let here = |goal: &&&Value| line(goal) == seen.line && events.contains(&text(goal, "outcome"));
            let here: Vec<&Value> = goals.iter().filter(here).copied().collect();
            // One of these it is; which one cannot always be told.
            let refuted = |goal: &&Value| refutes(&claim(goal), &[seen.departures]);
            if !here.is_empty() && here.iter().all(refuted) {
                let told: Vec<String> = here.iter().map(|goal| claim(goal).to_string()).collect();
                self.blame(&format!("{seen:?}, but {}", told.join("; ")));
            }
        }
        for goal in goals {
            *self.tally.compared.entry(format!("undefined {}", text(goal, "verdict"))).or_default() += 1;
        }
    }

    /// The report, if there is one.
    fn report(&mut self, ran: &Ran, codes: &[i32]) -> Option<Value> {
        let report: Option<Value> = serde_json::from_str(&ran.stdout).ok();
        let crashed =
            ran.stderr.contains("panicked") || ran.stdout.contains("the work on this function crashed");
        if crashed || !codes.contains(&ran.code) || report.is_none() {
            self.blame(&format!("exit code {}\n{}", ran.code, ran.stderr));
        }
        report.filter(|report| report.get("error").is_none())
    }

    /// The slot that tells whether a goal was met.
    fn slot(&self, report: &Value, goal: &Value) -> Option<u32> {
        let (line, outcome) = (line(goal), text(goal, "outcome").to_string());
        let kind = match text(goal, "kind") {
            "statement" => SpotKind::Statement,
            "branch" => SpotKind::Decision(outcome),
            "condition" => SpotKind::Condition(self.number_in_line(report, goal)?, outcome),
            _ => return None,
        };
        let mut spots = self.program.text.spots.iter();
        spots.find(|spot| spot.line == line && spot.kind == kind).map(|spot| spot.slot)
    }

    /// Which condition of its line one is; none if reports and marks do not have the same ones there.
    fn number_in_line(&self, report: &Value, goal: &Value) -> Option<usize> {
        let line_of_goal = line(goal);
        let goals = list(report, "functions").iter().flat_map(|function| list(function, "goals"));
        let here = goals.filter(|other| text(other, "kind") == "condition" && line(other) == line_of_goal);
        let columns: BTreeSet<u64> = here.filter_map(|other| other["column"].as_u64()).collect();
        let spots = self.program.text.spots.iter().filter(|spot| spot.line == line_of_goal);
        let marked = spots.filter(|spot| matches!(spot.kind, SpotKind::Condition(..))).count();
        let column = goal["column"].as_u64()?;
        (marked == 2 * columns.len()).then(|| columns.iter().position(|&other| other == column))?
    }

    fn compare(&mut self, claim: &Claim<'_>, met: &[u32]) {
        *self.tally.compared.entry(claim.verdict.to_string()).or_default() += 1;
        self.tally.met += u64::from(!met.is_empty());
        if refutes(claim, met) {
            self.blame(&format!("{claim}, but runs with departures {met:?} refute it"));
        }
    }

    fn blame(&mut self, what: &str) {
        self.tally.failures.push(format!("program {}: {what}", self.program.seed));
    }
}

impl std::fmt::Display for Claim<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is {}", self.what, self.verdict)?;
        for assumption in list(self.needs, "assumptions") {
            write!(f, ", as {} ({})", text(assumption, "text"), text(assumption, "kind"))?;
        }
        Ok(())
    }
}

/// Whether runs with these departures refute a claim.
fn refutes(claim: &Claim<'_>, met: &[u32]) -> bool {
    match claim.verdict {
        "unreachable" | "proved" | "only-after-undefined" => !met.is_empty(),
        "excluded" => {
            let needs = list(claim.needs, "assumptions");
            let allowed = needs.iter().fold(0, |all, one| all | departure(text(one, "kind")));
            met.iter().any(|made| made & allowed == 0)
        }
        _ => false,
    }
}

/// The departures from assumptions of a kind, as `attack.h` numbers them.
fn departure(kind: &str) -> u32 {
    match kind {
        "shape" => 1,
        "length" => 2,
        "large-array" => 4,
        "content" => 8,
        "union" => 16,
        "no-overlap" => 32,
        "allocation" => 64,
        "function" => 128,
        "world" => 256,
        other => panic!("`{other}` is no kind of assumption"),
    }
}

/// The events that a sanitizer may mean.
fn events(report: &Report) -> Option<&'static [&'static str]> {
    const EVENTS: [(&str, &[&str]); 9] = [
        ("signed integer overflow", &["signed-overflow"]),
        ("negation of", &["signed-overflow"]),
        ("division by zero", &["division-by-zero"]),
        ("division of", &["division-overflow"]),
        ("left shift", &["shift-overflow", "shift-out-of-range"]),
        ("shift exponent", &["shift-out-of-range"]),
        ("index ", &["out-of-bounds"]),
        ("heap-buffer-overflow", &["out-of-bounds", "invalid-pointer"]),
        ("heap-use-after-free", &["use-after-free", "invalid-pointer"]),
    ];
    let null: &[&str] = &["null-access", "invalid-pointer", "invalid-call"];
    if report.what.contains("null pointer") {
        return Some(null);
    }
    EVENTS.iter().find(|(words, _)| report.what.starts_with(words)).map(|(_, events)| *events)
}

fn claim(goal: &Value) -> Claim<'_> {
    let (kind, outcome) = (text(goal, "kind"), goal["outcome"].as_str().unwrap_or_default());
    let what = format!("{kind} `{}` {outcome} in line {}", text(goal, "text"), line(goal));
    Claim { what, verdict: text(goal, "verdict"), needs: &goal["needs"] }
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("`{name}` should be a text in {value}"))
}

fn line(value: &Value) -> u32 {
    value["line"].as_u64().and_then(|line| u32::try_from(line).ok()).expect("a goal has a line")
}
