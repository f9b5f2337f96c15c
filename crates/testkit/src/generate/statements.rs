//! Statements: the choice among all forms, and the simple ones.

use super::context::{Gen, Var};
use super::lvalues::Lvalue;
use super::types::Type;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Assignment,
    Compound,
    Step,
    Declaration,
    Mix,
    Call,
    MemoryCopy,
    If,
    NullTest,
    Block,
    Loop,
    Switch,
    Jump,
    Leave,
    Return,
    Heap,
    Alloca,
    Linked,
    Span,
    Text,
    Format,
    Sort,
    Plant,
}

const FORMS: [(u32, Form); 23] = [
    (24, Form::Assignment),
    (12, Form::Compound),
    (8, Form::Step),
    (16, Form::Declaration),
    (6, Form::Mix),
    (8, Form::Call),
    (3, Form::MemoryCopy),
    (12, Form::If),
    (3, Form::NullTest),
    (2, Form::Block),
    (12, Form::Loop),
    (6, Form::Switch),
    (5, Form::Jump),
    (4, Form::Leave),
    (1, Form::Return),
    (3, Form::Heap),
    (1, Form::Alloca),
    (3, Form::Linked),
    (2, Form::Span),
    (2, Form::Text),
    (2, Form::Format),
    (1, Form::Sort),
    (3, Form::Plant),
];

/// Blocks do not nest deeper than this.
const MAX_NESTING: usize = 6;

impl Gen<'_> {
    /// The statements of a function, until its share is used up.
    pub(super) fn statements_of_body(&mut self) {
        self.begin_full_expression();
        for _ in 0..self.rng.between(1, 3) {
            self.begin_full_expression();
            self.declare_local();
        }
        while self.frame.statements_left > 0 {
            self.statement();
        }
    }

    /// A few statements in a new scope. The braces are the caller's.
    pub(super) fn block_body(&mut self) {
        self.scoped(|g| {
            for _ in 0..g.rng.between(1, 4) {
                g.statement();
            }
            g.mix_scope(40);
        });
    }

    /// Runs `f` in a new scope, one step further to the right.
    pub(super) fn scoped(&mut self, f: impl FnOnce(&mut Self)) {
        self.frame.scopes.push(Vec::new());
        self.frame.indent += 1;
        f(self);
        self.frame.indent -= 1;
        self.frame.scopes.pop();
    }

    /// A random depth for an expression.
    pub(super) fn draw_depth(&mut self) -> u32 {
        1 + u32::try_from(self.rng.below(self.config.expr_depth.into())).expect("depths are small")
    }

    /// Any statement.
    pub(super) fn statement(&mut self) {
        self.begin_full_expression();
        self.frame.cost += self.frame.weight;
        let room = self.frame.statements_left > 0
            && self.frame.scopes.len() < MAX_NESTING
            && self.frame.cost < self.config.max_cost;
        self.frame.statements_left = self.frame.statements_left.saturating_sub(1);
        let form = self.rng.weighted(&FORMS);
        match form {
            Form::If if room => self.if_statement(),
            Form::NullTest if room => self.null_test(),
            Form::Block if room => {
                self.line("{");
                self.block_body();
                self.line("}");
            }
            Form::Loop if room => self.loop_statement(),
            Form::Switch if room && self.features.switches => self.switch_statement(),
            Form::Jump if room && self.features.gotos => self.jump_statement(),
            Form::Heap if room && self.features.heap => self.heap_block(),
            Form::Alloca if room && self.features.heap => self.alloca_block(),
            Form::Linked if room && self.features.links => self.linked_block(),
            Form::Span if room && self.features.pointers => self.span_block(),
            Form::Text if self.features.strings => self.string_block(),
            Form::Format if self.features.library => self.format_block(),
            Form::Sort if self.features.library => self.sorting_block(),
            Form::Plant if self.config.undefined => self.plant(),
            Form::Declaration => self.declare_local(),
            Form::Return if self.frame.may_return && self.frame.scopes.len() > 1 => self.early_return(),
            Form::Leave => self.leave_statement(),
            _ => self.simple_statement(),
        }
    }

    /// A statement of one line that declares nothing and does not jump.
    pub(super) fn simple_statement(&mut self) {
        let text = match self.rng.below(12) {
            0..=4 => self.assignment_statement(),
            5 | 6 => self.compound_statement(),
            7 | 8 => self.step_statement(),
            9 => self.call_statement(),
            10 => self.memory_copy(),
            _ => None,
        };
        match text {
            Some(text) => self.line(&text),
            None => {
                let depth = self.draw_depth();
                let value = self.int_expr(depth);
                self.mix(&value.text);
            }
        }
    }

    fn assignment_statement(&mut self) -> Option<String> {
        let assignable = |place: &Lvalue| place.writable && !matches!(place.ty, Type::Array(..));
        let place = self.lvalue(assignable)?;
        let depth = self.draw_depth();
        self.assignment(&place, depth).map(|expr| format!("{};", expr.text))
    }

    fn compound_statement(&mut self) -> Option<String> {
        let place = self.lvalue(|place| place.writable && place.ty.is_arithmetic())?;
        let depth = self.draw_depth();
        self.compound_assignment(&place, depth).map(|expr| format!("{};", expr.text))
    }

    fn step_statement(&mut self) -> Option<String> {
        let place = self.lvalue(|place| place.writable && place.ty.is_arithmetic())?;
        match self.step(&place) {
            Some(expr) => Some(format!("{};", expr.text)),
            None => self.guarded_step(&place),
        }
    }

    fn call_statement(&mut self) -> Option<String> {
        let depth = self.draw_depth();
        let call = self.any_call(depth)?;
        let discarded = if self.rng.chance(30) { "(void)" } else { "" };
        Some(format!("{discarded}{};", call.text))
    }

    fn if_statement(&mut self) {
        let depth = self.draw_depth();
        let cond = self.condition(depth);
        if self.rng.chance(25) {
            self.line(&format!("if ({})", cond.text));
            self.indented_simple_statement();
            if self.rng.chance(40) {
                self.line("else");
                self.indented_simple_statement();
            }
            return;
        }
        self.line(&format!("if ({}) {{", cond.text));
        self.block_body();
        while self.rng.chance(25) {
            self.begin_full_expression();
            let cond = self.condition(1);
            self.line(&format!("}} else if ({}) {{", cond.text));
            self.block_body();
        }
        if self.rng.chance(50) {
            self.line("} else {");
            self.block_body();
        }
        self.line("}");
    }

    /// A statement without braces around it.
    fn indented_simple_statement(&mut self) {
        self.begin_full_expression();
        self.frame.indent += 1;
        self.simple_statement();
        self.frame.indent -= 1;
    }

    /// Inside the test, a pointer that may be null is not.
    fn null_test(&mut self) {
        let nullable = |var: &Var| matches!(var.ty, Type::Pointer(_)) && var.target.nullable;
        let Some(var) = self.pick_var(nullable) else { return self.simple_statement() };
        let test = self.rng.pick(&["", "!!", "NULL != ", "(void *)0 != "]).to_string();
        self.line(&format!("if ({test}{}) {{", var.name));
        let mut tested = Var { writable: false, ..var };
        tested.target.nullable = false;
        self.frame.scopes.push(vec![tested]);
        self.block_body();
        self.frame.scopes.pop();
        self.line("}");
    }

    fn early_return(&mut self) {
        let cond = self.condition(1);
        self.line(&format!("if ({}) {{", cond.text));
        self.frame.indent += 1;
        self.return_statement();
        self.frame.indent -= 1;
        self.line("}");
    }
}
