//! [`SatSolver`] by CaDiCaL 3 (Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt: CAV 2024) through `cadical-sys`.
//!
//! Options are CaDiCaL's defaults, and made so: CaDiCaL takes options from `CADICAL_*` environment variables, which
//! would make an answer depend on the shell. Variables that preprocessing removed come back by themselves when a new
//! clause or assumption names them (Fazekas, Biere, Scholl: SAT 2019), so there is no freezing.
//!
//! A solver belongs to the thread that made it. Left out, although CaDiCaL offers it: proofs and user propagators.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cadical_sys::{CaDiCal, Status, Terminator};
use quipu_base::Id;

use crate::{Budget, Lit, SatResult, SatSolver, Statistics, Stop, Var};

/// CaDiCaL with its default options, silent.
pub struct Cadical {
    solver: CaDiCal,
    var_count: usize,
    answer: Answer,
    interrupt: Arc<AtomicBool>,
    /// Whether the interruption flag stopped the last search.
    interrupted: Rc<Cell<bool>>,
    /// Room for a clause in DIMACS numbers.
    clause: Vec<i32>,
}

/// What the last search found. Copied out, because CaDiCaL forgets it as soon as anything is added.
enum Answer {
    None,
    Model(Vec<bool>),
    Core(Vec<Lit>),
}

/// Asked by CaDiCaL during search whether to stop.
struct Watch {
    flag: Arc<AtomicBool>,
    fired: Rc<Cell<bool>>,
}

impl Cadical {
    /// A solver without clauses whose searches stop soon after `interrupt` is raised. As long as the flag stays
    /// raised, every search stops at once.
    pub fn new(interrupt: Arc<AtomicBool>) -> Cadical {
        let mut solver = CaDiCal::new();
        assert!(solver.configure("default"), "CaDiCaL should know its default configuration");
        let interrupted = Rc::new(Cell::new(false));
        solver.connect_terminator(Watch { flag: Arc::clone(&interrupt), fired: Rc::clone(&interrupted) });
        Cadical { solver, var_count: 0, answer: Answer::None, interrupt, interrupted, clause: Vec::new() }
    }

    /// The version of CaDiCaL, for reports.
    pub fn version() -> String {
        CaDiCal::version()
    }

    fn set_limit(&mut self, budget: Budget) {
        // CaDiCaL counts in `int`; 2^31 conflicts are weeks of search.
        let limit = budget.conflict_limit().map_or(-1, |n| i32::try_from(n).unwrap_or(i32::MAX));
        assert!(self.solver.limit("conflicts", limit), "CaDiCaL should know the limit on conflicts");
    }

    fn model(&mut self) -> Vec<bool> {
        (0..self.var_count).map(|index| self.solver.val(Var::new(index).positive().dimacs()) > 0).collect()
    }

    fn failed_among(&mut self, assumptions: &[Lit]) -> Vec<Lit> {
        let mut core: Vec<Lit> =
            assumptions.iter().copied().filter(|lit| self.solver.failed(lit.dimacs())).collect();
        core.sort_unstable();
        core.dedup();
        core
    }

    fn check(&self, lits: &[Lit]) {
        for lit in lits {
            assert!(lit.var().index() < self.var_count, "{lit} should be a variable of this solver");
        }
    }

    fn count(&self, name: &str) -> u64 {
        u64::try_from(self.solver.get_statistic_value(name)).expect("CaDiCaL should keep this count")
    }
}

impl Default for Cadical {
    /// A solver that nothing interrupts.
    fn default() -> Cadical {
        Cadical::new(Arc::default())
    }
}

impl SatSolver for Cadical {
    fn new_var(&mut self) -> Var {
        let var = Var::new(self.var_count);
        let declared = self.solver.declare_one_more_variable();
        assert_eq!(declared, var.positive().dimacs(), "CaDiCaL should number variables without gaps");
        self.var_count += 1;
        var
    }

    fn var_count(&self) -> usize {
        self.var_count
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.check(clause);
        self.clause.clear();
        self.clause.extend(clause.iter().map(|lit| lit.dimacs()));
        self.solver.clause6(&self.clause);
    }

    fn phase(&mut self, lit: Lit) {
        self.check(&[lit]);
        self.solver.phase(lit.dimacs());
    }

    fn unphase(&mut self, var: Var) {
        self.check(&[var.positive()]);
        self.solver.unphase(var.positive().dimacs());
    }

    fn solve(&mut self, assumptions: &[Lit], budget: Budget) -> SatResult {
        self.check(assumptions);
        self.answer = Answer::None;
        if self.interrupt.load(Ordering::Relaxed) {
            return SatResult::Unknown(Stop::Interrupted);
        }
        for lit in assumptions {
            self.solver.assume(lit.dimacs());
        }
        self.set_limit(budget);
        self.interrupted.set(false);
        match self.solver.solve() {
            Status::SATISFIABLE => {
                self.answer = Answer::Model(self.model());
                SatResult::Sat
            }
            Status::UNSATISFIABLE => {
                self.answer = Answer::Core(self.failed_among(assumptions));
                SatResult::Unsat
            }
            Status::UNKNOWN if self.interrupted.get() => SatResult::Unknown(Stop::Interrupted),
            Status::UNKNOWN => {
                assert_ne!(
                    budget,
                    Budget::UNLIMITED,
                    "an unlimited search should only stop when interrupted"
                );
                SatResult::Unknown(Stop::Budget)
            }
        }
    }

    fn value(&self, lit: Lit) -> bool {
        let Answer::Model(model) = &self.answer else {
            panic!("a value should only be asked for after the answer `Sat`");
        };
        let value = model.get(lit.var().index());
        *value.expect("a value should only be asked for a variable that is in the model") == lit.is_positive()
    }

    fn core(&self) -> &[Lit] {
        let Answer::Core(core) = &self.answer else {
            panic!("a core should only be asked for after the answer `Unsat`");
        };
        core
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            conflicts: self.count("conflicts"),
            decisions: self.count("decisions"),
            propagations: self.count("propagations"),
            learned: self.count("redundant"),
            ticks: self.count("ticks"),
        }
    }
}

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        let raised = self.flag.load(Ordering::Relaxed);
        if raised {
            self.fired.set(true);
        }
        raised
    }
}
