//! A program under a criterion: what Quipu, random testing and CBMC make of it, goal by goal.

use quipu_cfront::Program;
use quipu_ir::Func;

use super::cbmc::{self, Cbmc, Trouble};
use super::program::{Source, Target, Wanted};
use super::quipu::{self, Found, Function, Measured};
use super::random;

/// What was measured.
pub struct Row {
    pub name: String,
    pub wanted: Wanted,
    pub quipu: Measured,
    pub random: Other,
    pub cbmc: Option<Other>,
    /// Functions that Quipu's front end does not support.
    pub unsupported: usize,
    /// Goals that somebody else's inputs meet and Quipu's tests do not.
    pub missed: Vec<String>,
    /// Goals that Quipu calls unreachable and somebody's inputs meet.
    pub refuted: Vec<String>,
}

/// What somebody else covers.
#[derive(Default)]
pub struct Other {
    pub covered: usize,
    pub seconds: f64,
    /// What happened on the way, with the number of functions.
    pub troubles: Vec<(Trouble, usize)>,
    /// CBMC's own goals, and how many of them it covered.
    pub own: (usize, usize),
}

/// Measures a program.
pub fn measure(
    source: &Source,
    program: &Program,
    (funcs, unsupported): (&[Func], usize),
    wanted: Wanted,
    cbmc: Option<&Cbmc<'_>>,
    runs: u64,
) -> Result<Row, String> {
    let quipu = quipu::measure(&source.file, wanted, 0)?;
    let mut row = Row {
        name: source.name.clone(),
        wanted,
        quipu,
        random: Other::default(),
        cbmc: cbmc.map(|_| Other::default()),
        unsupported,
        missed: Vec::new(),
        refuted: Vec::new(),
    };
    let functions = row.quipu.answer.functions.clone();
    assert_eq!(functions.len(), funcs.len(), "both processes should see the same functions");
    for (&func, found) in funcs.iter().zip(&functions) {
        let target = Target::new(program, func, &wanted.options());
        assert_eq!(target.goals.all().len(), found.goals.len(), "both processes should see the same goals");
        row.add_random(program, &target, found, runs);
        if let Some(cbmc) = cbmc {
            row.add_cbmc(source, program, &target, found, cbmc)?;
        }
    }
    Ok(row)
}

impl Row {
    pub fn goals(&self) -> usize {
        self.quipu.answer.functions.iter().map(|function| function.goals.len()).sum()
    }

    fn add_random(&mut self, program: &Program, target: &Target, found: &Function, runs: u64) {
        let tried = random::test(&program.module, target, runs);
        self.random.covered += cbmc::count(&tried.covered);
        self.random.seconds += tried.seconds;
        self.judge("random", target, found, &tried.covered);
    }

    fn add_cbmc(
        &mut self,
        source: &Source,
        program: &Program,
        target: &Target,
        found: &Function,
        cbmc: &Cbmc<'_>,
    ) -> Result<(), String> {
        let rival: Vec<bool> = found.goals.iter().map(|&goal| goal == Found::Covered).collect();
        let tried = cbmc.cover(&program.module, target, &source.file, self.wanted, &rival)?;
        self.judge("cbmc", target, found, &tried.covered);
        if let Some(sum) = &mut self.cbmc {
            sum.covered += cbmc::count(&tried.covered);
            sum.seconds += tried.seconds;
            sum.own = (sum.own.0 + tried.own.0, sum.own.1 + tried.own.1);
            if let Some(trouble) = tried.trouble {
                match sum.troubles.iter_mut().find(|(other, _)| *other == trouble) {
                    Some((_, n)) => *n += 1,
                    None => sum.troubles.push((trouble, 1)),
                }
            }
        }
        Ok(())
    }

    /// Notes the goals that Quipu has no test for, and those of them that it calls unreachable.
    fn judge(&mut self, who: &str, target: &Target, found: &Function, covered: &[bool]) {
        for (n, (&goal, &covered)) in found.goals.iter().zip(covered).enumerate() {
            if !covered || goal == Found::Covered {
                continue;
            }
            let text = format!("{who}: {}", describe(target, found, n));
            match goal {
                Found::Unreachable => self.refuted.push(text),
                _ => self.missed.push(text),
            }
        }
    }
}

/// A goal for people.
fn describe(target: &Target, found: &Function, n: usize) -> String {
    let (_, goal) = target.goals.all().entries().nth(n).expect("a verdict has a goal");
    format!("{}: g{n} `{}` {} ({:?})", found.name, goal.text, goal.outcome, found.goals[n])
}
