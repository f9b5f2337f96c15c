//! `switch` in its odd shapes: fall-through, `default` in the middle, ranges, and labels inside a loop.

use super::context::{Enclosing, Gen};
use super::expr::Expr;
use super::range::Range;
use super::types::IntKind;

impl Gen<'_> {
    /// Any switch.
    pub(super) fn switch_statement(&mut self) {
        if self.rng.chance(15) && self.frame.weight <= 400 {
            self.interleaved_loop();
        } else {
            self.ordinary_switch();
        }
    }

    fn ordinary_switch(&mut self) {
        let depth = self.draw_depth();
        let controlling = self.controlling(depth);
        let mut labels = self.case_labels(&controlling);
        if self.rng.chance(75) {
            let at = self.rng.index(labels.len() + 1);
            labels.insert(at, "default:".to_string());
        }
        self.line(&format!("switch ({}) {{", controlling.text));
        self.frame.enclosing.push(Enclosing::Switch);
        for (n, label) in labels.iter().enumerate() {
            self.line(label);
            let stacked = self.rng.chance(12) && n + 1 < labels.len();
            if !stacked {
                self.case_body();
            }
        }
        self.frame.enclosing.pop();
        self.line("}");
    }

    /// Small values, so that the labels are hit; or anything.
    fn controlling(&mut self, depth: u32) -> Expr {
        match self.rng.below(4) {
            0 => self.int_expr(depth),
            1 => self.int_expr_within(Range::new(-4, 4), depth),
            _ => self.int_expr_within(Range::new(0, 7), depth),
        }
    }

    /// Distinct labels within the type of the controlling expression, in any order.
    fn case_labels(&mut self, controlling: &Expr) -> Vec<String> {
        let limits = controlling.kind().promoted().range();
        let start = if limits.lo < 0 { self.rng.between(-5, 1) } else { 0 };
        let mut next = start;
        let mut labels = Vec::new();
        for _ in 0..self.rng.between(1, 6) {
            next += i64::from(self.rng.chance(30));
            let last = if self.rng.chance(15) { next + self.rng.between(1, 3) } else { next };
            labels.push(self.case_label(next, last));
            next = last + 1;
        }
        if self.rng.chance(15) {
            labels.push(format!("case {}:", Self::decimal(extreme(controlling.kind().promoted()))));
        }
        self.rng.shuffle(&mut labels);
        labels
    }

    fn case_label(&mut self, first: i64, last: i64) -> String {
        if last > first {
            return format!("case {first} ... {last}:");
        }
        match self.rng.below(6) {
            0 => format!("case {first} + 0:"),
            1 => format!("case {} - 1:", first + 1),
            2 => format!("case (int){first}L:"),
            3 => format!("case {first} ? {first} : 0:"),
            _ => format!("case {first}:"),
        }
    }

    fn case_body(&mut self) {
        self.frame.indent += 1;
        if self.rng.chance(50) {
            self.line("{");
            self.block_body();
            self.line("}");
        } else {
            self.begin_full_expression();
            self.simple_statement();
        }
        if self.rng.chance(65) {
            let way = if self.frame.enclosing.contains(&Enclosing::Loop) && self.rng.chance(20) {
                "continue;"
            } else {
                "break;"
            };
            self.line(way);
        } else {
            self.line(";");
        }
        self.frame.indent -= 1;
    }

    /// Duff's device: the labels stand inside a loop that the switch jumps into.
    fn interleaved_loop(&mut self) {
        let (counter, trips) = (self.local_name("n"), self.rng.below(3) + 1);
        let controlling = self.int_expr_within(Range::new(0, 3), 1);
        self.open_block();
        self.line(&format!("int {counter} = {trips};"));
        self.line(&format!("switch ({}) {{", controlling.text));
        self.line("case 0:");
        self.line("    do {");
        self.frame.weight *= trips + 1;
        self.frame.enclosing.push(Enclosing::Loop);
        self.frame.indent += 2;
        self.simple_statement_alone();
        for label in ["case 1:", "case 2:", "default:"] {
            self.line(label);
            self.simple_statement_alone();
        }
        self.frame.indent -= 2;
        self.frame.enclosing.pop();
        self.frame.weight /= trips + 1;
        self.line(&format!("    }} while (--{counter} > 0);"));
        self.line("}");
        self.close_block();
    }

    fn simple_statement_alone(&mut self) {
        self.begin_full_expression();
        self.simple_statement();
    }
}

/// The largest value that a label can have.
fn extreme(kind: IntKind) -> i128 {
    kind.range().hi
}
