//! Bounds and refutations of random systems against all their integer points, whoever proposes the multipliers.

use quipu_linear::{Column, Feasibility, Form, Range, Simplex, System};
use quipu_modelkit::Random;

const COLUMNS: usize = 3;

struct Case {
    system: System,
    objective: Form,
    /// The values of the objective at the integer points that satisfy all rows.
    values: Vec<f64>,
}

fn small(random: &mut Random) -> f64 {
    random.below(9) as f64 - 4.0
}

fn form(random: &mut Random, columns: &[Column]) -> Form {
    let parts = columns.iter().map(|&column| (column, small(random))).filter(|&(_, c)| c != 0.0).collect();
    Form { parts, constant: small(random) }
}

fn value(form: &Form, columns: &[Column], point: &[f64]) -> f64 {
    let of = |column: Column| point[columns.iter().position(|&other| other == column).expect("a column")];
    form.constant + form.parts.iter().map(|&(column, c)| c * of(column)).sum::<f64>()
}

fn case(random: &mut Random) -> Case {
    let mut system = System::default();
    let bounds: Vec<(f64, f64)> = (0..COLUMNS)
        .map(|_| {
            let lo = small(random);
            (lo, lo + random.below(7) as f64)
        })
        .collect();
    let columns: Vec<Column> = bounds.iter().map(|&(lo, hi)| system.add_column(Range::new(lo, hi))).collect();
    let rows: Vec<(Form, Range)> = (0..1 + random.below(5))
        .map(|_| {
            let lo = 2.0 * small(random);
            let hi = lo + random.below(6) as f64;
            let range = match random.below(3) {
                0 => Range::new(lo, f64::INFINITY),
                1 => Range::new(f64::NEG_INFINITY, hi),
                _ => Range::new(lo, hi),
            };
            (form(random, &columns), range)
        })
        .collect();
    rows.iter().for_each(|(row, range)| system.demand(row, *range));
    let objective = form(random, &columns);
    let mut values = Vec::new();
    let steps = |n: usize| {
        let (lo, hi) = bounds[n];
        (0..).map(move |step| lo + f64::from(step)).take_while(move |&x| x <= hi)
    };
    for x in steps(0) {
        for y in steps(1) {
            for z in steps(2) {
                let point = [x, y, z];
                let satisfied = |(row, range): &(Form, Range)| {
                    let value = value(row, &columns, &point);
                    range.lo <= value && value <= range.hi
                };
                if rows.iter().all(satisfied) {
                    values.push(value(&objective, &columns, &point));
                }
            }
        }
    }
    Case { system, objective, values }
}

#[test]
fn bounds_hold_at_all_points_and_are_often_tight() {
    let (mut refuted, mut empty, mut tight) = (0, 0, 0);
    for seed in 0..20_000 {
        let random = &mut Random::new(seed);
        let Case { system, objective, values } = case(random);
        empty += u32::from(values.is_empty());
        let mut simplex = Simplex::new(&system, u64::MAX);
        let multipliers = match simplex.find_feasible() {
            Feasibility::Infeasible(multipliers) => multipliers,
            _ => simplex.minimise(&objective),
        };
        let bound = system.bound_below(&objective, &multipliers);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(bound <= least, "{seed}: {bound} is above {least}");
        tight += u32::from(!values.is_empty() && bound >= least - 1.0);
        if system.refutes(&multipliers) {
            refuted += 1;
            assert!(values.is_empty(), "{seed}: {values:?} are lost");
        }
    }
    assert!(refuted > empty / 2 && refuted > 1000, "{refuted} of {empty} empty systems were refuted");
    let open = 20_000 - empty;
    assert!(4 * tight > 3 * open, "{tight} of {open} bounds are within 1 of the least value");
}

#[test]
fn any_multipliers_give_a_true_bound() {
    for seed in 0..20_000 {
        let random = &mut Random::new(seed);
        let Case { system, objective, values } = case(random);
        let multipliers: Vec<f64> = system.rows().iter().map(|_| small(random) / 3.0).collect();
        let bound = system.bound_below(&objective, &multipliers);
        assert!(values.iter().all(|&value| bound <= value), "{seed}");
        assert!(values.is_empty() || !system.refutes(&multipliers), "{seed}");
    }
}
