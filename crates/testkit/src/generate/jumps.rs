//! `goto`: forward over a block, backward with fuel, and into the middle of a loop.
//!
//! No jump enters the scope of a variable behind its initialiser: what is jumped over or into declares
//! its variables in blocks of its own.

use super::context::{Enclosing, Gen};

impl Gen<'_> {
    /// Any jump with its label.
    pub(super) fn jump_statement(&mut self) {
        if self.frame.weight > 400 {
            return self.simple_statement();
        }
        match self.rng.below(3) {
            0 => self.forward_jump(),
            1 => self.backward_jump(),
            _ => self.jump_into_loop(),
        }
    }

    fn forward_jump(&mut self) {
        let label = self.local_name("skip");
        let cond = self.condition(1);
        self.line(&format!("if ({}) goto {label};", cond.text));
        self.line("{");
        self.block_body();
        self.line("}");
        self.line(&format!("{label}: ;"));
    }

    fn backward_jump(&mut self) {
        let (label, fuel) = (self.local_name("again"), self.local_name("fuel"));
        let trips = self.rng.below(3) + 1;
        self.open_block();
        self.line(&format!("int {fuel} = {trips};"));
        self.line(&format!("{label}:"));
        self.line("{");
        self.frame.weight *= trips;
        self.block_body();
        self.frame.weight /= trips;
        self.line("}");
        self.begin_full_expression();
        let cond = self.condition(1);
        self.line(&format!("if (--{fuel} > 0 && ({})) goto {label};", cond.text));
        self.close_block();
    }

    fn jump_into_loop(&mut self) {
        let (label, counter) = (self.local_name("into"), self.local_name("n"));
        let trips = self.rng.below(3) + 1;
        let cond = self.condition(1);
        self.open_block();
        self.line(&format!("int {counter} = {trips};"));
        self.line(&format!("if ({}) goto {label};", cond.text));
        self.line(&format!("while ({counter}-- > 0) {{"));
        self.frame.weight *= trips + 1;
        self.frame.enclosing.push(Enclosing::Loop);
        self.frame.indent += 1;
        self.begin_full_expression();
        self.simple_statement();
        self.line(&format!("{label}:"));
        self.line("{");
        self.block_body();
        self.line("}");
        self.frame.indent -= 1;
        self.frame.enclosing.pop();
        self.frame.weight /= trips + 1;
        self.line("}");
        self.close_block();
    }
}
