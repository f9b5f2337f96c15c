//! Measures the solver: hard instances, the cost of variables, clauses and models, and how soon it can be stopped.

#[path = "../tests/support/mod.rs"]
mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use quipu_sat::{Budget, Cadical, Lit, SatResult, SatSolver};
use support::arithmetic::{Multiplier, at_least_two, equals, multiplier, prime_factors, prime_from};
use support::{Rng, new_vars, pigeons};

/// Adds a hard instance to a solver; its assumptions.
type Build = fn(&mut Cadical) -> Vec<Lit>;

fn main() {
    println!("CaDiCaL {}", Cadical::version());
    hard_instances();
    large_instance();
    interruptions();
}

fn hard_instances() {
    let mut solver = Cadical::default();
    pigeons(&mut solver, 9, 8);
    report("9 pigeons, 8 holes", &mut solver, &[]);
    let [small, large] = prime_factors(20);
    factor("20 x 20 bits, two primes", 20, small * large);
    let [small, large] = prime_factors(16);
    factor("16 x 16 bits, a prime", 16, prime_from(small * large));
}

fn factor(name: &str, bits: usize, product: u64) {
    let mut solver = Cadical::default();
    let circuit = multiplier(&mut solver, bits);
    at_least_two(&mut solver, &circuit.left);
    at_least_two(&mut solver, &circuit.right);
    report(name, &mut solver, &equals(&circuit.product, product));
}

/// Forty multipliers of 32 bits, of which each question runs one forwards.
fn large_instance() {
    let start = Instant::now();
    let mut solver = Cadical::default();
    let circuits = many_multipliers(&mut solver);
    let variables = solver.var_count();
    println!("{variables} variables, about 700000 clauses: {:.0} ms to add", milliseconds(start));
    let mut rng = Rng(1);
    let mut ask = |circuit: &Multiplier| {
        let [left, right] = [rng.below(1 << 32), rng.below(1 << 32)].map(|n| n as u64);
        let inputs = [equals(&circuit.left, left), equals(&circuit.right, right)].concat();
        assert_eq!(solver.solve(&inputs, Budget::UNLIMITED), SatResult::Sat);
    };
    let start = Instant::now();
    circuits.iter().for_each(&mut ask);
    println!("{:.1} ms per easy question on it", milliseconds(start) / circuits.len() as f64);

    let mut solver = Cadical::default();
    let start = Instant::now();
    let vars = new_vars(&mut solver, 1_000_000);
    println!("{:.0} ns per variable", milliseconds(start));
    let start = Instant::now();
    vars.windows(3)
        .for_each(|vars| solver.add_clause(&[vars[0].negative(), vars[1].positive(), vars[2].positive()]));
    println!("{:.0} ns per clause of three literals", milliseconds(start));
    let start = Instant::now();
    assert_eq!(solver.solve(&[], Budget::UNLIMITED), SatResult::Sat);
    println!("{:.0} ms for a trivial model of a million variables", milliseconds(start));
}

/// The longest time that a search goes on after the flag is raised, over searches stopped at many moments.
fn interruptions() {
    let kinds: [(&str, Build); 3] = [
        ("12 pigeons, 11 holes", |solver| {
            pigeons(solver, 12, 11);
            Vec::new()
        }),
        ("32 x 32 bits", |solver| {
            let circuit = multiplier(solver, 32);
            let [small, large] = prime_factors(31);
            equals(&circuit.product, small * large)
        }),
        ("40 times 32 x 32 bits", |solver| {
            let [small, large] = prime_factors(31);
            many_multipliers(solver)
                .iter()
                .flat_map(|circuit| equals(&circuit.product, small * large))
                .collect()
        }),
    ];
    for (name, build) in kinds {
        let flag = Arc::new(AtomicBool::new(false));
        let mut solver = Cadical::new(Arc::clone(&flag));
        let assumptions = build(&mut solver);
        let delays =
            (1..=20).map(|n| stop(&mut solver, &assumptions, &flag, Duration::from_millis(37 * n % 500)));
        let longest = delays.max().expect("there should be some searches");
        println!("{name}: stopped at the latest after {:.1} ms", longest.as_secs_f64() * 1e3);
    }
}

fn stop(solver: &mut Cadical, assumptions: &[Lit], flag: &AtomicBool, after: Duration) -> Duration {
    thread::scope(|scope| {
        let raiser = scope.spawn(|| {
            thread::sleep(after);
            flag.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let answer = solver.solve(assumptions, Budget::UNLIMITED);
        let end = Instant::now();
        assert!(matches!(answer, SatResult::Unknown(_)), "the instance should be hard, not {answer:?}");
        let raised = raiser.join().expect("the raiser should not fail");
        flag.store(false, Ordering::Relaxed);
        end.saturating_duration_since(raised)
    })
}

fn many_multipliers(solver: &mut Cadical) -> Vec<Multiplier> {
    (0..40).map(|_| multiplier(solver, 32)).collect()
}

fn report(name: &str, solver: &mut Cadical, assumptions: &[Lit]) {
    let start = Instant::now();
    let answer = solver.solve(assumptions, Budget::UNLIMITED);
    let (time, counts) = (milliseconds(start), solver.statistics());
    println!("{name}: {answer:?}, {time:.0} ms, {} conflicts, {} ticks", counts.conflicts, counts.ticks);
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
