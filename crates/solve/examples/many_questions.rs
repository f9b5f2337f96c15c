//! How long one session takes for many questions on one large model that grows between them.
//!
//! The model looks like an unrolled C function: variables are updated under conditions, which compare them with each
//! other and with numbers. A question asks for a condition, or its opposite, after some steps.
//!
//! ```text
//! cargo run --release --example many_questions -- [TERMS] [QUESTIONS] [all | sat | search]
//! ```

use std::time::{Duration, Instant};

use quipu_model::{Model, Reading, Role, Term, VarInfo, WrittenBodies};
use quipu_modelkit::Random;
use quipu_num::{IntCmp, IntOp, Width};
use quipu_solve::{Answer, Options, Session};

const N_INPUTS: usize = 30;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |n: usize, default: usize| arguments.get(n).map_or(default, |text| text.parse().expect("a number"));
    let (n_terms, n_questions) = (number(0, 50_000), number(1, 300));
    let parts = arguments.get(2).map_or("all", String::as_str);
    let options = Options { search: parts != "sat", sat: parts != "search", ..Options::default() };
    let mut program = Program::new();
    let mut session = Session::new(std::mem::take(&mut program.model), &WrittenBodies, options);
    session.set_effort(Some(1_000_000));
    let mut times = Vec::new();
    let mut answers = [0; 3];
    for n in 0..n_questions {
        let model = session.model_mut();
        while model.terms().len() < n_terms * (n + 1) / n_questions {
            program.step(model);
        }
        let goal = program.goal(model);
        let start = Instant::now();
        let answer = session.solve_under(&[goal]);
        times.push(start.elapsed());
        match answer {
            Answer::Solution(_) => answers[0] += 1,
            Answer::Infeasible => answers[1] += 1,
            Answer::GaveUp(_) => answers[2] += 1,
        }
    }
    print(times, answers, &session);
}

fn print(mut times: Vec<Duration>, answers: [usize; 3], session: &Session<'_>) {
    let total: Duration = times.iter().sum();
    let last: Duration = times.iter().rev().take(times.len() / 10).sum();
    println!("{} solutions, {} infeasible, {} given up", answers[0], answers[1], answers[2]);
    println!("{:.1?} in total, {:.2?} per question", total, total / times.len() as u32);
    println!("{:.2?} per question of the last tenth", last / (times.len() / 10).max(1) as u32);
    times.sort();
    println!("median {:.2?}, longest {:.2?}", times[times.len() / 2], times[times.len() - 1]);
    println!("{} terms, {:?}", session.model().terms().len(), session.report());
}

/// A random program, unrolled step by step.
struct Program {
    model: Model,
    random: Random,
    inputs: Vec<Term>,
    state: Vec<Term>,
    conditions: Vec<Term>,
}

impl Program {
    fn new() -> Program {
        let mut model = Model::new();
        let add = |n: usize| {
            let name = format!("x{n}");
            let info =
                VarInfo { name, width: Width::W32, reading: Reading::Signed, range: None, role: Role::Input };
            let var = model.add_var(info);
            model.var_term(var)
        };
        let inputs: Vec<Term> = (0..N_INPUTS).map(add).collect();
        Program { model, random: Random::new(1), state: inputs.clone(), inputs, conditions: Vec::new() }
    }

    /// `if (a < b) c = d + e;` or, every third time, `c = input + e;`
    fn step(&mut self, model: &mut Model) {
        let target = self.random.below(N_INPUTS);
        let e = self.operand(model, 85);
        if self.random.chance(33) {
            let input = self.random.pick(&self.inputs);
            self.state[target] = model.op(IntOp::Add, input, e);
            return;
        }
        let cmp = self.random.pick(&[IntCmp::Slt, IntCmp::Sle, IntCmp::Ult, IntCmp::Ne]);
        let (a, b) = (self.operand(model, 0), self.operand(model, 80));
        let condition = model.compare(cmp, a, b);
        let op = self.random.pick(&[IntOp::Add, IntOp::Sub]);
        let d = self.operand(model, 20);
        let value = model.op(op, d, e);
        self.state[target] = model.select(condition, value, self.state[target]);
        self.conditions.push(condition);
    }

    /// A variable, or in some percent of the cases a number.
    fn operand(&mut self, model: &mut Model, percent: usize) -> Term {
        if self.random.chance(percent) {
            let value = self.random.below(100) as u64;
            return model.constant_term(Width::W32, value);
        }
        self.random.pick(&self.state)
    }

    /// Some condition, or two, or their opposites.
    fn goal(&mut self, model: &mut Model) -> Term {
        let mut one = || {
            let condition = self.random.pick(&self.conditions);
            if self.random.chance(50) { model.not(condition) } else { condition }
        };
        let both = [one(), one()];
        model.all(both)
    }
}
