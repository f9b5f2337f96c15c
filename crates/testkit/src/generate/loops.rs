//! Loops with a bounded number of iterations, in all of C's forms.
//!
//! The counter is never written by the body, and its range is known there: it indexes arrays plainly.

use super::context::{Enclosing, Gen, Var};
use super::expr::Target;
use super::range::Range;
use super::types::{IntKind, Type};

impl Gen<'_> {
    /// Any loop.
    pub(super) fn loop_statement(&mut self) {
        if self.frame.weight > 400 {
            return self.simple_statement();
        }
        let label = (self.features.gotos && self.rng.chance(15)).then(|| self.local_name("out"));
        self.frame.exits.extend(label.clone());
        match self.rng.below(9) {
            0..=2 => self.counting_up(),
            3 => self.counting_down(),
            4 => self.while_loop(),
            5 => self.do_loop(),
            6 => self.endless_loop(),
            7 if self.features.pointers && self.rng.chance(30) => self.stepping_walk(),
            7 if self.features.pointers => self.pointer_walk(),
            8 if self.features.floats => self.float_loop(),
            _ => self.two_counters(),
        }
        if let Some(label) = label {
            self.frame.exits.pop();
            self.line(&format!("{label}: ;"));
        }
    }

    /// The body of a loop that runs at most `trips` times, with the counters in scope.
    pub(super) fn loop_body(&mut self, counters: Vec<Var>, trips: u64) {
        self.frame.scopes.push(counters);
        self.frame.enclosing.push(Enclosing::Loop);
        self.frame.weight *= trips.max(1);
        self.block_body();
        self.frame.weight /= trips.max(1);
        self.frame.enclosing.pop();
        self.frame.scopes.pop();
    }

    /// A counter that only the loop itself changes.
    fn counter(&mut self, kind: IntKind, range: Range) -> Var {
        let name = self.local_name("i");
        let bit = self.frame.own_bit();
        let level = self.frame.level() + 1;
        let var = Var::new(name, Type::Int(kind), level, bit);
        Var { range: Some(range), writable: false, ..var }
    }

    fn counter_kind(&mut self) -> IntKind {
        let kinds = &IntKind::ALL[1..];
        if self.rng.chance(50) { IntKind::Int } else { *self.rng.pick(kinds) }
    }

    fn trips(&mut self) -> u64 {
        self.rng.below(7) + 1
    }

    fn counting_up(&mut self) {
        let (kind, trips) = (self.counter_kind(), self.trips());
        let step = if self.rng.chance(70) { 1 } else { self.rng.below(3) + 1 };
        let start = if kind.signed() && self.rng.chance(30) { self.rng.between(-5, 5) } else { 0 };
        let last = start + i64::try_from((trips - 1) * step).expect("few trips");
        let var = self.counter(kind, Range::new(start.into(), last.into()));
        let name = var.name.clone();
        let test = match self.rng.below(3) {
            0 => format!("{name} <= {last}"),
            1 => format!("{name} != {}", last + i64::try_from(step).expect("small steps")),
            _ => format!("{name} < {}", last + 1),
        };
        let update = match (step, self.rng.below(3)) {
            (1, 0) => format!("{name}++"),
            (1, 1) => format!("++{name}"),
            (_, 2) => format!("{name} = {name} + {step}"),
            _ => format!("{name} += {step}"),
        };
        let declared = self.declare(&var.ty, &name);
        self.line(&format!("for ({declared} = {start}; {test}; {update}) {{"));
        self.loop_body(vec![var], trips);
        self.line("}");
    }

    fn counting_down(&mut self) {
        let (kind, trips) = (self.counter_kind(), self.trips());
        let var = self.counter(kind, Range::new(0, i128::from(trips) - 1));
        let name = var.name.clone();
        let declared = self.declare(&var.ty, &name);
        let header = if kind.signed() && self.rng.chance(60) {
            format!("for ({declared} = {}; {name} >= 0; {name}--) {{", trips - 1)
        } else {
            format!("for ({declared} = {trips}; {name}-- > 0; ) {{")
        };
        self.line(&header);
        self.loop_body(vec![var], trips);
        self.line("}");
    }

    fn while_loop(&mut self) {
        let (kind, trips) = (self.counter_kind(), self.trips());
        let var = self.counter(kind, Range::new(0, i128::from(trips) - 1));
        let name = var.name.clone();
        let declared = self.declare(&var.ty, &name);
        self.open_block();
        self.line(&format!("{declared} = {trips};"));
        if self.rng.chance(50) {
            self.line(&format!("while ({name}--) {{"));
        } else {
            let cond = self.condition(1);
            self.line(&format!("while ({name} > 0 && ({})) {{", cond.text));
            self.line(&format!("    {name} -= 1;"));
        }
        self.loop_body(vec![var], trips);
        self.line("}");
        self.close_block();
    }

    fn do_loop(&mut self) {
        let (kind, trips) = (self.counter_kind(), self.trips());
        let var = self.counter(kind, Range::new(0, i128::from(trips) - 1));
        let name = var.name.clone();
        let declared = self.declare(&var.ty, &name);
        self.open_block();
        self.line(&format!("{declared} = 0;"));
        self.line("do {");
        self.loop_body(vec![var], trips);
        self.line(&format!("}} while (++{name} < {trips});"));
        self.close_block();
    }

    fn endless_loop(&mut self) {
        let (kind, trips) = (self.counter_kind(), self.trips());
        let var = self.counter(kind, Range::new(1, i128::from(trips)));
        let name = var.name.clone();
        let declared = self.declare(&var.ty, &name);
        self.open_block();
        self.line(&format!("{declared} = 0;"));
        let header = *self.rng.pick(&["for (;;) {", "while (1) {"]);
        self.line(header);
        self.line(&format!("    if ({name} >= {trips}) break;"));
        self.line(&format!("    {name}++;"));
        self.loop_body(vec![var], trips);
        self.line("}");
        self.close_block();
    }

    fn two_counters(&mut self) {
        let trips = self.trips();
        let (first, second) =
            (self.counter(IntKind::Int, Range::new(0, 14)), self.counter(IntKind::Int, Range::new(0, 14)));
        let (i, j) = (first.name.clone(), second.name.clone());
        let top = 2 * trips - 1;
        self.line(&format!("for (int {i} = 0, {j} = {top}; {i} < {j}; {i}++, {j}--) {{"));
        self.loop_body(vec![first, second], trips);
        self.line("}");
    }

    fn float_loop(&mut self) {
        let name = self.local_name("x");
        let bit = self.frame.own_bit();
        let ty = self.float_type().expect("floats are enabled");
        let declared = self.declare(&ty, &name);
        let var = Var::new(name.clone(), ty, self.frame.level() + 1, bit);
        let var = Var { writable: false, ..var };
        self.line(&format!("for ({declared} = 0; {name} < 1.5; {name} += 0.25) {{"));
        self.loop_body(vec![var], 6);
        self.line("}");
    }

    /// `for (int *p = a; p < a + n; p++)`.
    fn pointer_walk(&mut self) {
        let walkable = |var: &Var| matches!(var.ty, Type::Array(..)) && var.addressable;
        let Some(array) = self.pick_var(walkable) else { return self.counting_up() };
        let Type::Array(element, len) = array.ty.clone() else { return };
        let name = self.local_name("p");
        let bit = self.frame.own_bit();
        let ty = element.pointer();
        let declared = self.declare(&ty, &name);
        let mut var = Var::new(name.clone(), ty, self.frame.level() + 1, bit);
        var.writable = false;
        var.target = Target { extent: 1, level: array.level, nullable: false };
        let base = &array.name;
        let header = match self.rng.below(3) {
            0 => format!("for ({declared} = {base}; {name} != {base} + {len}; ++{name}) {{"),
            1 => format!("for ({declared} = {base}; {name} - {base} < {len}; {name} += 1) {{"),
            _ => format!("for ({declared} = &{base}[0]; {name} < &{base}[{len}]; {name}++) {{"),
        };
        self.line(&header);
        self.loop_body(vec![var], len);
        self.line("}");
    }

    /// Walks an array of integers with `*p++`, or backwards with `*--p`.
    fn stepping_walk(&mut self) {
        let flat = |var: &Var| match &var.ty {
            Type::Array(element, _) => element.int_kind().is_some() && !var.volatile,
            _ => false,
        };
        let Some(array) = self.pick_var(flat) else { return self.counting_up() };
        let Type::Array(element, len) = array.ty.clone() else { return };
        let (pointer, left) = (self.local_name("p"), self.local_name("n"));
        let declared = self.declare(&element, &format!("*{pointer}"));
        let forward = self.rng.chance(60);
        let start = if forward { array.name.clone() } else { format!("{} + {len}", array.name) };
        self.open_block();
        self.line(&format!("const {declared} = {start};"));
        self.line(&format!("for (int {left} = {len}; {left}; {left}--) {{"));
        self.frame.indent += 1;
        let step = if forward { format!("*{pointer}++") } else { format!("*--{pointer}") };
        self.mix(&step);
        self.frame.indent -= 1;
        self.line("}");
        self.mix(&format!("{pointer} - {}", array.name));
        self.frame.cost += len * self.frame.weight;
        self.close_block();
    }

    /// `if (c) break;` and its relatives, where one is allowed.
    pub(super) fn leave_statement(&mut self) {
        let mut ways: Vec<String> = Vec::new();
        if self.frame.enclosing.contains(&Enclosing::Loop) {
            ways.push("continue;".to_string());
        }
        if !self.frame.enclosing.is_empty() {
            ways.push("break;".to_string());
        }
        ways.extend(self.frame.exits.iter().map(|label| format!("goto {label};")));
        if ways.is_empty() {
            return self.simple_statement();
        }
        let cond = self.condition(1);
        let way = self.rng.pick(&ways).clone();
        self.line(&format!("if ({}) {way}", cond.text));
    }

    /// Starts a block for a counter that outlives the loop's head.
    pub(super) fn open_block(&mut self) {
        self.line("{");
        self.frame.indent += 1;
        self.frame.scopes.push(Vec::new());
    }

    /// Ends it.
    pub(super) fn close_block(&mut self) {
        self.frame.scopes.pop();
        self.frame.indent -= 1;
        self.line("}");
    }
}
