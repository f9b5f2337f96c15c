//! Searches stop where they should, go on from there, and are the same every time.

mod support;

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use quipu_sat::{Budget, Cadical, SatResult, SatSolver, Statistics, Stop};
use support::arithmetic::{equals, multiplier, number, prime_factors};
use support::{pigeons, random_3sat};

#[test]
fn a_spent_budget_can_be_renewed_until_there_is_an_answer() {
    let mut solver = Cadical::default();
    pigeons(&mut solver, 8, 7);
    let mut stops = 0;
    loop {
        let before = solver.statistics().conflicts;
        let answer = solver.solve(&[], Budget::conflicts(200));
        let spent = solver.statistics().conflicts - before;
        if answer == SatResult::Unsat {
            break;
        }
        assert_eq!(answer, SatResult::Unknown(Stop::Budget));
        assert!((200..220).contains(&spent), "{spent} conflicts are not about 200");
        stops += 1;
        assert!(stops < 1000, "renewed searches should get somewhere");
    }
    assert!(stops > 1, "the instance should be harder than one budget");
}

#[test]
fn a_budget_is_spent_under_assumptions_too() {
    let mut solver = Cadical::default();
    let circuit = multiplier(&mut solver, 12);
    let [small, large] = prime_factors(12);
    let product = equals(&circuit.product, small * large);
    assert_eq!(solver.solve(&product, Budget::conflicts(10)), SatResult::Unknown(Stop::Budget));
    assert_eq!(solver.solve(&product, Budget::UNLIMITED), SatResult::Sat);
    let mut factors = [number(&solver, &circuit.left), number(&solver, &circuit.right)];
    factors.sort_unstable();
    assert_eq!(factors, [small, large]);
}

#[test]
fn an_interruption_stops_a_hard_search_soon() {
    let flag = Arc::new(AtomicBool::new(false));
    let mut solver = Cadical::new(Arc::clone(&flag));
    pigeons(&mut solver, 12, 11);
    for _ in 0..3 {
        let (answer, delay) = interrupt_after(&mut solver, &flag, Duration::from_millis(200));
        assert_eq!(answer, SatResult::Unknown(Stop::Interrupted));
        assert!(delay < Duration::from_secs(1), "the search went on for {delay:?}");
    }
    assert_eq!(solver.solve(&[], Budget::conflicts(10)), SatResult::Unknown(Stop::Budget));
}

#[test]
fn a_raised_flag_stops_every_search_until_it_is_lowered() {
    let flag = Arc::new(AtomicBool::new(true));
    let mut solver = Cadical::new(Arc::clone(&flag));
    let x = solver.new_var().positive();
    solver.add_clause(&[x]);
    for _ in 0..2 {
        assert_eq!(solver.solve(&[!x], Budget::UNLIMITED), SatResult::Unknown(Stop::Interrupted));
    }
    flag.store(false, Ordering::Relaxed);
    assert_eq!(solver.solve(&[], Budget::UNLIMITED), SatResult::Sat, "the assumption should be forgotten");
}

#[test]
fn the_same_calls_give_the_same_answers_and_counts() {
    let first = reference_run();
    assert!(first.1.conflicts > 1000 && first.1.learned > 0, "{first:?} should be a real search");
    assert_eq!(reference_run(), first);
    let others: Vec<_> = (0..2).map(|_| thread::spawn(reference_run)).collect();
    for other in others {
        assert_eq!(other.join().expect("the other thread should not fail"), first);
    }
}

#[test]
fn the_environment_changes_nothing_and_the_solver_is_silent() {
    let options = [("CADICAL_SEED", "7"), ("CADICAL_STABILIZEONLY", "1"), ("CADICAL_RESTARTINT", "50")];
    let [plain, changed] = [&[][..], &options].map(|variables| {
        let myself = std::env::current_exe().expect("a test should know its own path");
        let run = Command::new(myself)
            .args(["--exact", "reference_run_for_another_process", "--ignored", "--nocapture", "-q"])
            .envs(variables.iter().copied())
            .output()
            .expect("a test should be able to run itself");
        assert!(run.status.success() && run.stderr.is_empty(), "{run:?}");
        let text = String::from_utf8(run.stdout).expect("the output should be text");
        text.lines().filter(|line| !line.starts_with("test result")).collect::<Vec<_>>().join("\n")
    });
    assert!(plain.contains(&format!("{:?}", reference_run())), "{plain} should have this process's counts");
    assert_eq!(plain, changed);
    assert!(plain.lines().filter(|line| !line.is_empty()).count() <= 3, "{plain} should be all that is said");
}

#[test]
#[ignore = "run by another test, in another environment"]
fn reference_run_for_another_process() {
    println!("{:?}", reference_run());
}

/// A search of some thousand conflicts with several answers: its models, and what it cost.
fn reference_run() -> (Vec<bool>, Statistics) {
    let mut solver = Cadical::default();
    random_3sat(&mut solver, 180, 740, 5);
    pigeons(&mut solver, 8, 8);
    let circuit = multiplier(&mut solver, 10);
    let mut values = Vec::new();
    for product in [617 * 827, 523_987, 631 * 839, 641 * 853] {
        if solver.solve(&equals(&circuit.product, product), Budget::UNLIMITED) == SatResult::Sat {
            values.extend(circuit.left.iter().chain(&circuit.right).map(|&lit| solver.value(lit)));
        }
    }
    (values, solver.statistics())
}

/// Raises the flag during a search; the answer, and how long the search went on after that.
fn interrupt_after(solver: &mut Cadical, flag: &AtomicBool, delay: Duration) -> (SatResult, Duration) {
    thread::scope(|scope| {
        let raiser = scope.spawn(|| {
            thread::sleep(delay);
            let now = Instant::now();
            flag.store(true, Ordering::Relaxed);
            now
        });
        let answer = solver.solve(&[], Budget::UNLIMITED);
        let end = Instant::now();
        let raised = raiser.join().expect("the raiser should not fail");
        flag.store(false, Ordering::Relaxed);
        (answer, end.saturating_duration_since(raised))
    })
}
